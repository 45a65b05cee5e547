// SPDX-License-Identifier: BSD-3-Clause
#include "damping.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Teuchos_CommHelpers.hpp>
#include <Teuchos_LAPACK.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Vector.hpp>

namespace daptor::solvers::plugin {
namespace {

using Vector = Tpetra::Vector<PetscScalar>;

/// The largest sum of the moduli of a row of D^-1 A.
double norm_of_scaled(const CrsMatrix& matrix, const Vector& diagonal) {
  const auto local = matrix.getLocalMatrixHost();
  const auto d = diagonal.getData();
  double largest = 0;
  for (int row = 0; row < local.numRows(); ++row) {
    const double pivot = std::abs(d[row]);
    if (pivot == 0) continue;
    double sum = 0;
    const auto begin = local.graph.row_map(static_cast<std::size_t>(row));
    const auto end = local.graph.row_map(static_cast<std::size_t>(row) + 1);
    for (auto e = begin; e < end; ++e) sum += std::abs(PetscScalar(local.values(e)));
    largest = std::max(largest, sum / pivot);
  }
  double everywhere = 0;
  Teuchos::reduceAll(*matrix.getComm(), Teuchos::REDUCE_MAX, largest, Teuchos::outArg(everywhere));
  return everywhere;
}

double real_dot(const Vector& x, const Vector& y) {
  return PetscRealPart(x.dot(y));
}

/// The tridiagonal matrix of conjugate gradients, whose eigenvalues approximate those of D^-1 A.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> beside;

  double largest_eigenvalue() const {
    std::vector<double> values = diagonal, rest = beside;
    rest.push_back(0);
    int failed = 0;
    double unused = 0;
    Teuchos::LAPACK<int, double>().STEQR('N', static_cast<int>(values.size()), values.data(),
                                         rest.data(), &unused, 1, &unused, &failed);
    return failed == 0 && !values.empty() ? values.back() : 0;
  }
};

/// Zero in rows of prescribed values: where other rows have entries in their columns, these alone
/// would make the matrix look as if it were not symmetric.
Vector irregular_vector(const CrsMatrix& matrix) {
  const auto local = matrix.getLocalMatrixHost();
  Vector vector(matrix.getRangeMap());
  const auto values = vector.getDataNonConst();
  for (int row = 0; row < local.numRows(); ++row) {
    const auto begin = local.graph.row_map(static_cast<std::size_t>(row));
    const auto end = local.graph.row_map(static_cast<std::size_t>(row) + 1);
    int couplings = -1;  // without the diagonal
    for (auto e = begin; e < end; ++e)
      couplings += PetscScalar(local.values(e)) == PetscScalar(0) ? 0 : 1;
    const auto number = vector.getMap()->getGlobalElement(row) * 37 % 101;
    values[row] = couplings <= 0 ? 0.0 : 1.0 + static_cast<double>(number) / 101;
  }
  return vector;
}

/// Empty if the matrix or its diagonal turns out to be indefinite. The signs of both may be
/// negative, which changes all products alike.
Tridiagonal conjugate_gradients(const CrsMatrix& matrix, const Vector& inverse) {
  constexpr int steps = 10;
  constexpr double small = 1e-20;
  Tridiagonal t;
  Vector r = irregular_vector(matrix);
  Vector z(r.getMap()), p(r.getMap()), q(r.getMap());
  z.elementWiseMultiply(1.0, inverse, r, 0.0);
  p.assign(z);
  const double first = real_dot(r, z);
  double rho = first, beta = 0, last_step = 0;
  for (int k = 0; k < steps && rho / first > small; ++k) {
    matrix.apply(p, q);
    const double energy = real_dot(p, q);
    if (!(energy / first > 0)) return {};
    const double step = rho / energy;
    t.diagonal.push_back(1 / step + (k == 0 ? 0 : beta / last_step));
    if (k > 0) t.beside.push_back(std::sqrt(beta) / last_step);
    r.update(-step, q, 1.0);
    z.elementWiseMultiply(1.0, inverse, r, 0.0);
    const double next = real_dot(r, z);
    if (!(next / first >= 0)) return {};
    beta = next / rho;
    p.update(1.0, z, beta);
    rho = next;
    last_step = step;
  }
  return t;
}

}  // namespace

double damping_scale(const CrsMatrix& matrix) {
  constexpr double rounding = 1e-8;
  Vector diagonal(matrix.getRowMap());
  matrix.getLocalDiagCopy(diagonal);
  const double norm = norm_of_scaled(matrix, diagonal);
  if (norm == 0) return 1;
  for (PetscScalar& value : diagonal.getDataNonConst())
    value = value == PetscScalar(0) ? PetscScalar(1) : PetscScalar(1) / value;
  const double estimate = conjugate_gradients(matrix, diagonal).largest_eigenvalue();
  if (!(estimate > 0) || !std::isfinite(estimate)) return 0;
  return estimate <= norm * (1 + rounding) ? 1 : norm / estimate;
}

}  // namespace daptor::solvers::plugin
