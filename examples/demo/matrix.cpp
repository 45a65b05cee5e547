// SPDX-License-Identifier: BSD-3-Clause
#include "matrix.hpp"

#include <Ifpack2_Factory.hpp>
#include <MatrixMarket_Tpetra.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MatrixIO.hpp>

#include "console.hpp"
#include "daptor/call.hpp"
#include "daptor/solvers.hpp"
#include "handle.hpp"
#include "solve.hpp"
#include "witness.hpp"

namespace {

using Matrix = daptor::solvers::CrsMatrix;
using RowMatrix = Tpetra::RowMatrix<PetscScalar>;

/// Every number in the file has been checked, so a failure here is not the file's fault.
Teuchos::RCP<Matrix> read(const MatrixFile& file) {
  try {
    if (file.format == MatrixFile::Format::matrix_market)
      return Tpetra::MatrixMarket::Reader<Matrix>::readSparseFile(file.path,
                                                                  Tpetra::getDefaultComm());
    Teuchos::RCP<Matrix> matrix;
    Tpetra::Utils::readHBMatrix(file.path, Tpetra::getDefaultComm(), matrix);
    return matrix;
  } catch (const std::exception& error) {
    fmt::print(stderr, "daptor_demo: Trilinos cannot read '{}': {}\n", file.path, error.what());
    MPI_Abort(PETSC_COMM_WORLD, 1);
    throw;
  }
}

/// An incomplete factorization of each rank's own rows and columns.
Teuchos::RCP<daptor::solvers::Operator> ilut(const Teuchos::RCP<Matrix>& matrix) {
  const daptor::Comm comm(PETSC_COMM_WORLD);
  const auto preconditioner =
      Ifpack2::Factory::create<RowMatrix>("ILUT", Teuchos::RCP<const RowMatrix>(matrix));
  preconditioner->setParameters(Teuchos::ParameterList());
  preconditioner->initialize();
  // One rank alone may have a zero pivot, which must not leave the others waiting.
  daptor::Call(comm, "compute").check([&] { preconditioner->compute(); });
  return preconditioner;
}

struct Vectors {
  VecHandle solution, exact, right_side;
};

/// The right-hand side is chosen such that the solution is all ones.
Vectors make_vectors(Mat matrix) {
  Vectors vectors;
  ok(MatCreateVecs(matrix, vectors.solution.out(), vectors.right_side.out()));
  ok(VecDuplicate(vectors.solution, vectors.exact.out()));
  ok(VecSet(vectors.exact, 1.0));
  ok(MatMult(matrix, vectors.exact, vectors.right_side));
  return vectors;
}

double error_of(const Vectors& vectors) {
  VecHandle difference;
  ok(VecDuplicate(vectors.exact, difference.out()));
  ok(VecWAXPY(difference, -1.0, vectors.exact, vectors.solution));
  PetscReal error = 0;
  ok(VecNorm(difference, NORM_INFINITY, &error));
  return error;
}

}  // namespace

void run_matrix(const MatrixFile& file) {
  say("\n{}: {} matrix of {} rows with {} entries\n", file.path,
      file.symmetric ? "a symmetric" : "an unsymmetric", file.rows, file.entries);
  const double start = MPI_Wtime();
  const Teuchos::RCP<Matrix> matrix = read(file);
  say("  Tpetra has read it: {} entries on {} ranks, {:.2f} s\n", matrix->getGlobalNumEntries(),
      size_of(PETSC_COMM_WORLD), MPI_Wtime() - start);

  Witness multiplication;
  const daptor::solvers::OwnedMat shell =
      daptor::solvers::operator_as_mat(multiplication.watched(matrix), PETSC_COMM_WORLD);
  const Vectors vectors = make_vectors(shell.get());
  multiplication.compare(vectors.exact, vectors.right_side);

  Witness preconditioning;
  KspHandle ksp;
  ok(KSPCreate(PETSC_COMM_WORLD, ksp.out()));
  ok(KSPSetOperators(ksp, shell.get(), shell.get()));
  ok(KSPSetType(ksp, KSPGMRES));
  ok(KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 1000));
  ok(KSPSetFromOptions(ksp));
  preconditioning.stand_between(ksp, ilut(matrix));
  const Solve result = solve(ksp, vectors.right_side, vectors.solution);

  say("  PETSc's GMRES, Tpetra multiplying, Ifpack2 (ILUT) preconditioning: {} iterations, {:.2f} "
      "s\n"
      "  residual {:.1e}, largest error {:.1e}\n",
      result.iterations, result.solve_seconds, result.relative_residual, error_of(vectors));
  const auto m = multiplication.findings();
  const auto p = preconditioning.findings();
  say("  Vectors checked in {} multiplication and {} preconditionings: {} bytes of data copied\n",
      m.applications, p.applications, sum_over_ranks(m.bytes_copied + p.bytes_copied));
  if (result.reason <= 0)
    throw DemoError(fmt::format("GMRES did not converge for '{}' ({})", file.path,
                                KSPConvergedReasons[result.reason]));
}
