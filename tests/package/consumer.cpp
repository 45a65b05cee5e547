// SPDX-License-Identifier: BSD-3-Clause
// A user's program that uses the components selected by CONSUMER_PETSC and similar macros.
#include <mpi.h>

#include <daptor/config.hpp>
#include <daptor/daptor.hpp>
#include <iostream>
#include <vector>

#ifdef CONSUMER_CONFORMANCE
#include <daptor/conformance.hpp>
#endif
#ifdef CONSUMER_PETSC
#include <daptor/petsc.hpp>
#endif
#ifdef CONSUMER_TPETRA
#include <Tpetra_Core.hpp>
#include <Tpetra_MultiVector.hpp>
#include <daptor/tpetra.hpp>
#endif
#ifdef CONSUMER_SOLVERS
#include <Tpetra_CrsMatrix.hpp>
#include <daptor/solvers.hpp>
#endif

namespace {

bool core_works() {
  const auto dimensions = daptor::block_dimensions({20, 3}, MPI_COMM_WORLD);
  std::vector<double> memory(static_cast<std::size_t>(daptor::local_count(dimensions)));
  const daptor::DistArray a = daptor::describe(memory.data(), dimensions).on(MPI_COMM_WORLD);
  return a.data() == memory.data() && a.ndim() == 2;
}

#ifdef CONSUMER_PETSC
bool petsc_works() {
  Vec x = nullptr;
  if (VecCreateMPI(PETSC_COMM_WORLD, 10, PETSC_DECIDE, &x) != 0) return false;
  const daptor::DistArray a = daptor::petsc::export_vec(x);
  const PetscScalar* values = nullptr;
  if (VecGetArrayRead(x, &values) != 0) return false;
  const bool same = a.data() == values;
  return VecRestoreArrayRead(x, &values) == 0 && VecDestroy(&x) == 0 && same;
}
#endif

#ifdef CONSUMER_TPETRA
bool tpetra_works() {
  const auto dimensions = daptor::block_dimensions({20}, MPI_COMM_WORLD);
  std::vector<double> memory(static_cast<std::size_t>(daptor::local_count(dimensions)));
  const daptor::DistArray a = daptor::describe(memory.data(), dimensions).on(MPI_COMM_WORLD);
  const auto X = daptor::tpetra::import_multivector<double>(a);
  return X.get()->getData(0).getRawPtr() == memory.data();
}
#endif

#ifdef CONSUMER_SOLVERS
bool solvers_work() {
  Mat A = nullptr;
  if (MatCreateAIJ(PETSC_COMM_WORLD, 4, 4, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr,
                   &A) != 0 ||
      MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY) != 0 || MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY) != 0)
    return false;
  const auto B = daptor::solvers::copy_matrix(A);
  return B->isFillComplete() && MatDestroy(&A) == 0;
}
#endif

bool all_work() {
  bool works = core_works();
#ifdef CONSUMER_CONFORMANCE
  works = !daptor::conformance::checks().empty() && works;
#endif
#ifdef CONSUMER_PETSC
  works = petsc_works() && works;
#endif
#ifdef CONSUMER_TPETRA
  works = tpetra_works() && works;
#endif
#ifdef CONSUMER_SOLVERS
  works = solvers_work() && works;
#endif
  return works;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef CONSUMER_PETSC
  if (PetscInitialize(&argc, &argv, nullptr, nullptr) != 0) return 2;
#endif
  bool works = false;
  {
#ifdef CONSUMER_TPETRA
    const Tpetra::ScopeGuard kokkos(&argc, &argv);
#endif
    works = all_work();
  }
#ifdef CONSUMER_PETSC
  if (PetscFinalize() != 0) return 2;
#endif
  if (rank == 0)
    std::cout << "A consumer of daptor " << DAPTOR_VERSION_STRING
              << (works ? " works.\n" : " fails.\n");
  MPI_Finalize();
  return works ? 0 : 1;
}
