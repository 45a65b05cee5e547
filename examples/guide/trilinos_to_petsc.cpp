// SPDX-License-Identifier: BSD-3-Clause
// A Trilinos program solves on its own vectors with a PETSc Krylov solver.

#include <algorithm>
#include <cmath>
#include <iostream>

#include <petscksp.h>
#include <Tpetra_Core.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_Vector.hpp>
#include <daptor/daptor.hpp>
#include <daptor/petsc.hpp>
#include <daptor/tpetra.hpp>

namespace {

/// The matrix of -u'' on n points.
Mat make_laplacian(MPI_Comm comm, PetscInt n) {
  Mat A = nullptr;
  PetscInt first = 0;
  PetscInt last = 0;
  PetscCallAbort(comm,
                 MatCreateAIJ(comm, PETSC_DECIDE, PETSC_DECIDE, n, n, 3, nullptr, 2, nullptr, &A));
  PetscCallAbort(comm, MatGetOwnershipRange(A, &first, &last));
  for (PetscInt i = first; i < last; ++i) {
    if (i > 0) PetscCallAbort(comm, MatSetValue(A, i, i - 1, -1.0, INSERT_VALUES));
    if (i < n - 1) PetscCallAbort(comm, MatSetValue(A, i, i + 1, -1.0, INSERT_VALUES));
    PetscCallAbort(comm, MatSetValue(A, i, i, 2.0, INSERT_VALUES));
  }
  PetscCallAbort(comm, MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCallAbort(comm, MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  return A;
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard kokkos(&argc, &argv);
  const MPI_Comm comm = MPI_COMM_WORLD;
  PetscCallAbort(comm, PetscInitialize(&argc, &argv, nullptr, nullptr));
  double error = 0;
  {
    constexpr PetscInt n = 300;
    Mat A = make_laplacian(comm, n);
    KSP ksp = nullptr;
    PetscCallAbort(comm, KSPCreate(comm, &ksp));
    PetscCallAbort(comm, KSPSetOperators(ksp, A, A));
    PetscCallAbort(comm, KSPSetTolerances(ksp, 1e-10, 1e-50, 1e5, 1000));
    PetscCallAbort(comm, KSPSetFromOptions(ksp));

    PetscInt rows = 0;
    PetscCallAbort(comm, MatGetLocalSize(A, &rows, nullptr));
    const auto teuchos = Teuchos::rcp(new Teuchos::MpiComm<int>(comm));
    const auto map = Teuchos::rcp(new Tpetra::Map<>(static_cast<Tpetra::global_size_t>(n),
                                                    static_cast<std::size_t>(rows), 0, teuchos));
    const auto b = Teuchos::rcp(new Tpetra::Vector<double>(map));
    const auto x = Teuchos::rcp(new Tpetra::Vector<double>(map));
    b->putScalar(1.0);

    // [guide]
    auto solution = daptor::tpetra::export_multivector(x);
    auto rhs_vec = daptor::petsc::import_vec(daptor::tpetra::export_multivector(b));
    auto x_vec = daptor::petsc::import_vec(solution);
    PetscCallAbort(comm, KSPSolve(ksp, rhs_vec.get(), x_vec.get()));  // writes into x
    solution.modified();
    // [guide]

    // -u'' = 1 on n points is solved by u_i = (i + 1) (n - i) / 2.
    const auto values = x->getData();
    for (int i = 0; i < values.size(); ++i) {
      const double g = static_cast<double>(map->getGlobalElement(i));
      const double exact = (g + 1) * (static_cast<double>(n) - g) / 2;
      error = std::max(error, std::abs(values[i] - exact) / exact);
    }
    rhs_vec.close();
    x_vec.close();
    PetscCallAbort(comm, KSPDestroy(&ksp));
    PetscCallAbort(comm, MatDestroy(&A));
  }
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) std::cout << "largest relative error " << error << '\n';
  PetscCallAbort(comm, PetscFinalize());
  return error < 1e-6 ? 0 : 1;
}
