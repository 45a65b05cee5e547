// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the tests of PETSc objects as Tpetra operators share: multivectors and their results, and
// the PETSc objects behind the operators.

#include <algorithm>
#include <limits>

#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Vector.hpp>

#include "probe.hpp"
#include "support.hpp"

namespace daptor::test {

using Op = Teuchos::RCP<solvers::Operator>;

inline constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// Vectors whose elements depend on their global index, their column and `seed` only.
inline MultiVector columns_on(const Teuchos::RCP<const Map>& map, std::size_t count, int seed = 0) {
  MultiVector X(map, count);
  for (std::size_t j = 0; j < count; ++j) {
    const auto x = X.getDataNonConst(j);
    for (int i = 0; i < x.size(); ++i)
      x[i] = scattered(static_cast<PetscInt>(map->getGlobalElement(i)),
                       static_cast<PetscInt>(j) + 31 * seed);
  }
  return X;
}

/// The largest difference between two elements.
inline double distance(const MultiVector& X, const MultiVector& Y) {
  MultiVector difference(X, Teuchos::Copy);
  difference.update(-1.0, Y, 1.0);
  double largest = 0;
  for (std::size_t j = 0; j < X.getNumVectors(); ++j)
    largest = std::max(largest, difference.getVector(j)->normInf());
  return largest;
}

inline const double* memory_of(const MultiVector& X) {
  return X.getLocalViewHost(Tpetra::Access::ReadOnly).data();
}

/// alpha Op(X) + beta Y, computed with a Tpetra matrix.
inline MultiVector expected(const solvers::CrsMatrix& a, const MultiVector& X, const MultiVector& Y,
                            Teuchos::ETransp mode, double alpha, double beta) {
  MultiVector result(Y, Teuchos::Copy);
  MultiVector copy(X, Teuchos::Copy);
  a.apply(copy, result, mode, alpha, beta);
  return result;
}

/// The vectors to which the Mat of `shell_of` was applied last, and how often it was applied.
struct Seen {
  const PetscScalar* x = nullptr;
  const PetscScalar* y = nullptr;
  int applications = 0;
};

/// The multiplication of `shell_of`.
inline PetscErrorCode look(Mat mat, Vec x, Vec y) {
  Seen* seen = nullptr;
  MatShellGetContext(mat, &seen);
  ++seen->applications;
  seen->x = memory_of(x);
  seen->y = memory_of(y);
  VecCopy(x, y);
  return VecScale(y, 3.0);
}

/// A matrix-free Mat for y = 3 x, with `count` rows on this rank. It writes to `seen`.
inline OwnMat shell_of(Seen& seen, PetscInt count) {
  OwnMat shell;
  MatCreateShell(PETSC_COMM_WORLD, count, count, PETSC_DETERMINE, PETSC_DETERMINE, &seen,
                 shell.address());
  MatShellSetOperation(shell, MATOP_MULT, reinterpret_cast<void (*)(void)>(look));
  return shell;
}

/// A number of rows for this rank; none on some ranks.
inline PetscInt some_count() {
  constexpr PetscInt counts[] = {5, 0, 1, 12, 3, 0, 7, 2};
  return counts[world_rank() % 8];
}

inline OwnPc pc_of(Mat a, PCType type) {
  OwnPc pc;
  PCCreate(PetscObjectComm(reinterpret_cast<PetscObject>(a)), pc.address());
  PCSetOperators(pc, a, a);
  PCSetType(pc, type);
  return pc;
}

inline OwnKsp ksp_of(Mat a, KSPType type, PCType pc_type) {
  OwnKsp ksp;
  KSPCreate(PetscObjectComm(reinterpret_cast<PetscObject>(a)), ksp.address());
  KSPSetOperators(ksp, a, a);
  KSPSetType(ksp, type);
  KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 500);
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  PCSetType(pc, pc_type);
  return ksp;
}

}  // namespace daptor::test
