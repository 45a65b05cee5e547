// SPDX-License-Identifier: BSD-3-Clause
// A dense matrix of PETSc, which has no parallel LU for it, solved by ScaLAPACK.
//
//   mpirun -n 4 daptor_scalapack_petsc_dense
//
// A MATDENSE is divided by rows. Its elements are copied into blocks, and the solution from blocks
// into a Vec: these copies are the only ones.

#include <cmath>
#include <vector>

#include <petscmat.h>

#include <daptor/daptor.hpp>
#include <daptor/petsc.hpp>
#include <daptor/scalapack.hpp>

#include "scalapack.hpp"

namespace {

constexpr PetscInt n = 75;

/// Overwrites b with the solution of A x = b.
void solve(Mat A, Vec b) {
  namespace scalapack = daptor::scalapack;
  const daptor::DistArray right = daptor::petsc::export_vec(b);
  const scalapack::Grid grid(right.comm());
  auto tiles = scalapack::copy_to_matrix<double>(daptor::petsc::export_dense(A), grid, {16, 16});
  auto x = scalapack::copy_to_matrix<double>(right, grid, {16, 16});
  const int size = n;
  int info = 0;
  std::vector<int> pivots(static_cast<std::size_t>(tiles.local_rows() + tiles.row_block()));
  pdgesv_(&size, &example::one, tiles.data(), &example::one, &example::one, tiles.desc(),
          pivots.data(), x.data(), &example::one, &example::one, x.desc(), &info);
  scalapack::check_info("pdgesv", info, grid.comm());
  scalapack::copy_from_matrix(x, right);
}

double run() {
  Mat A = nullptr;
  Vec x = nullptr, b = nullptr;
  MatCreateDense(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n, n, nullptr, &A);
  PetscInt start = 0, stop = 0;
  MatGetOwnershipRange(A, &start, &stop);
  for (PetscInt i = start; i < stop; ++i)
    for (PetscInt j = 0; j < n; ++j)
      MatSetValue(A, i, j, 1.0 / (1.0 + std::abs(static_cast<double>(i + j - (n - 1)))),
                  INSERT_VALUES);
  MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY);
  MatCreateVecs(A, &x, &b);
  VecSet(x, 3.0);
  MatMult(A, x, b);

  solve(A, b);

  PetscReal error = 0;
  VecAXPY(b, -1.0, x);
  VecNorm(b, NORM_INFINITY, &error);
  PetscPrintf(PETSC_COMM_WORLD, "solved, largest error %.1e\n", static_cast<double>(error));
  MatDestroy(&A);
  VecDestroy(&x);
  VecDestroy(&b);
  return static_cast<double>(error);
}

}  // namespace

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  const double error = run();
  PetscFinalize();
  return error < 1e-11 ? 0 : 1;
}
