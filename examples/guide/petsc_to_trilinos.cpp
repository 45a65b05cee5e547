// SPDX-License-Identifier: BSD-3-Clause
// A PETSc program hands a Vec to Trilinos: the same memory as a Tpetra::MultiVector.

#include <iostream>

#include <Tpetra_Core.hpp>
#include <Tpetra_MultiVector.hpp>
#include <daptor/daptor.hpp>
#include <daptor/petsc.hpp>
#include <daptor/tpetra.hpp>

int main(int argc, char** argv) {
  if (PetscInitialize(&argc, &argv, nullptr, nullptr) != 0) return 2;
  PetscReal norm = 0;
  const void* petsc_memory = nullptr;
  const void* trilinos_memory = nullptr;
  {
    const Tpetra::ScopeGuard kokkos(&argc, &argv);
    Vec x = nullptr;
    if (VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, 1000, &x) != 0) return 2;
    if (VecSet(x, 1.0) != 0) return 2;

    // [guide]
    auto a = daptor::petsc::export_vec(x);  // described, not copied
    auto X = daptor::tpetra::import_multivector<double>(a);
    X.get()->scale(2.0);  // Trilinos works in PETSc's memory
    a.modified();         // on all ranks: PETSc learns that its Vec was written
    // [guide]

    petsc_memory = a.data();
    trilinos_memory = X.get()->getData(0).getRawPtr();
    if (VecNorm(x, NORM_1, &norm) != 0 || VecDestroy(&x) != 0) return 2;
  }
  const bool same = petsc_memory == trilinos_memory;
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0)
    std::cout << "1-norm " << norm << ", memory " << (same ? "shared" : "not shared") << '\n';
  const bool right = same && norm == 2000.0;
  return PetscFinalize() != 0 || !right ? 1 : 0;
}
