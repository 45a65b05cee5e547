// SPDX-License-Identifier: BSD-3-Clause
// The columns of a MultiVector of Tpetra, orthogonalised by ScaLAPACK.
//
//   mpirun -n 4 daptor_scalapack_tpetra_orthogonal
//
// On a contiguous Map with ceil(n / processes) rows a process, and column-major as it is, the
// MultiVector is a matrix of ScaLAPACK on a grid of one column: nothing is copied.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <Tpetra_Core.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>

#include <daptor/daptor.hpp>
#include <daptor/scalapack.hpp>
#include <daptor/tpetra.hpp>

#include "scalapack.hpp"

namespace {

using MultiVector = Tpetra::MultiVector<double>;

constexpr int columns = 5;

/// Replaces the columns of X by orthonormal ones that span the same space.
void orthogonalise(const Teuchos::RCP<MultiVector>& X) {
  // Tpetra's columns are the first dimension of the description: the matrix is its transposed.
  const daptor::DistArray x = daptor::scalapack::transposed(daptor::tpetra::export_multivector(X));
  auto A = daptor::scalapack::import_matrix<double>(x, daptor::scalapack::Grid::of(x));
  daptor::WriteLease lease(x);
  const auto m = static_cast<int>(A.global_rows());
  std::vector<double> tau(columns);
  example::with_work_space("pdgeqrf", x.comm(), [&](double* work, int length) {
    int info = 0;
    pdgeqrf_(&m, &columns, A.data(), &example::one, &example::one, A.desc(), tau.data(), work,
             &length, &info);
    return info;
  });
  example::with_work_space("pdorgqr", x.comm(), [&](double* work, int length) {
    int info = 0;
    pdorgqr_(&m, &columns, &columns, A.data(), &example::one, &example::one, A.desc(), tau.data(),
             work, &length, &info);
    return info;
  });
  lease.close();
}

/// The largest difference of X^T X from the identity.
double error_of(const MultiVector& X) {
  double error = 0;
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t k = 0; k <= j; ++k) {
      const double product = X.getVector(j)->dot(*X.getVector(k));
      error = std::max(error, std::abs(product - (j == k ? 1.0 : 0.0)));
    }
  return error;
}

double run() {
  const auto ranks = Tpetra::getDefaultComm();
  const std::size_t rows = 40;  // on every process
  const auto map = Teuchos::rcp(new Tpetra::Map<>(rows * ranks->getSize(), rows, 0, ranks));
  const auto X = Teuchos::rcp(new MultiVector(map, columns));
  X->randomize();
  orthogonalise(X);
  return error_of(*X);
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  const double error = run();
  if (Tpetra::getDefaultComm()->getRank() == 0)
    std::printf("orthogonal, largest error %.1e\n", error);
  return error < 1e-13 ? 0 : 1;
}
