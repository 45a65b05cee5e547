// SPDX-License-Identifier: BSD-3-Clause
// Operators that outlive PetscFinalize, PETSc's session and Kokkos are left alone and cause no
// crash; calls throw.

#include <cstdio>
#include <cstdlib>

#include <Tpetra_Core.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <daptor/daptor.hpp>
#include <daptor/solvers/petsc_operator.hpp>

namespace {

using daptor::solvers::Operator;
using MultiVector = Tpetra::MultiVector<double>;

int failures = 0;

void expect(bool condition, const char* what) {
  if (condition) return;
  std::printf("FAILED: %s\n", what);
  ++failures;
}

template <class F>
void expect_finalized(F&& body, const char* what) {
  try {
    body();
    expect(false, what);
  } catch (const daptor::Finalized&) {
  }
}

Teuchos::RCP<Operator> make() {
  Mat mat = nullptr;
  MatCreateConstantDiagonal(PETSC_COMM_WORLD, 3, 3, PETSC_DETERMINE, PETSC_DETERMINE, 2.0, &mat);
  auto op = daptor::solvers::petsc_preconditioner(mat, "-pc_type jacobi");
  MatDestroy(&mat);
  return op;
}

void apply(const Operator& op) {
  MultiVector X(op.getDomainMap(), 1);
  MultiVector Y(op.getRangeMap(), 1);
  X.putScalar(2.0);
  op.apply(X, Y);
  expect(Y.getData(0)[0] == 1.0, "the result");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  // Their destructors run after MPI_Finalize.
  static Teuchos::RCP<Operator> very_late, from_second_session;
  {
    const Tpetra::ScopeGuard kokkos(&argc, &argv);
    PetscInitialize(&argc, &argv, nullptr, nullptr);
    very_late = make();
    auto late = make();
    apply(*late);
    PetscFinalize();
    expect_finalized([&] { apply(*late); }, "apply");
    expect_finalized([&] { daptor::solvers::set_up_again(*late); }, "set_up_again");
    expect_finalized([&] { static_cast<void>(daptor::solvers::behind_pc(*late)); }, "behind_pc");
    expect(daptor::solvers::status(*late).columns == 1, "the status is there still");
    late = Teuchos::null;
    PetscInitialize(&argc, &argv, nullptr, nullptr);
    from_second_session = make();
    apply(*from_second_session);
    expect_finalized([&] { apply(*very_late); }, "apply in another session");
    PetscFinalize();
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  if (failures == 0 && rank == 0) std::printf("all as promised\n");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
