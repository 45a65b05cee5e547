// SPDX-License-Identifier: BSD-3-Clause
// A Trilinos program solves with Belos on its own matrix and vectors, preconditioned by PETSc.
//
//   trilinos_with_petsc [<options of a preconditioner> [<matrix file>]]
//
// The file is in Matrix Market (.mtx) or Harwell-Boeing format.

#include <iostream>
#include <string>

#include <BelosPseudoBlockGmresSolMgr.hpp>
#include <BelosTpetraAdapter.hpp>
#include <MatrixMarket_Tpetra.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MatrixIO.hpp>
#include <daptor/daptor.hpp>
#include <daptor/solvers/petsc_operator.hpp>

namespace {

using Matrix = Tpetra::CrsMatrix<double>;
using Operator = Tpetra::Operator<double>;
using MultiVector = Tpetra::MultiVector<double>;

/// The matrix of -(u_xx + u_yy) on n by n points.
Teuchos::RCP<Matrix> laplacian(Tpetra::global_size_t n) {
  using Global = Matrix::global_ordinal_type;
  const auto points = static_cast<Global>(n);
  const auto map = Teuchos::rcp(new Tpetra::Map<>(n * n, 0, Tpetra::getDefaultComm()));
  const auto matrix = Teuchos::rcp(new Matrix(map, 5));
  const auto insert = [&](Global row, Global column, double value) {
    matrix->insertGlobalValues(row, 1, &value, &column);
  };
  for (Global row = map->getMinGlobalIndex(); row <= map->getMaxGlobalIndex(); ++row) {
    insert(row, row, 4.0);
    if (row >= points) insert(row, row - points, -1.0);
    if (row + points < points * points) insert(row, row + points, -1.0);
    if (row % points > 0) insert(row, row - 1, -1.0);
    if ((row + 1) % points > 0) insert(row, row + 1, -1.0);
  }
  matrix->fillComplete();
  return matrix;
}

Teuchos::RCP<Matrix> read(const std::string& path) {
  if (path.size() > 4 && path.substr(path.size() - 4) == ".mtx")
    return Tpetra::MatrixMarket::Reader<Matrix>::readSparseFile(path, Tpetra::getDefaultComm());
  Teuchos::RCP<Matrix> matrix;
  Tpetra::Utils::readHBMatrix(path, Tpetra::getDefaultComm(), matrix);
  return matrix;
}

/// Solves A x = A e, where e is all ones. Returns the largest error, or a negative number if Belos
/// did not converge.
double solve(const Teuchos::RCP<const Matrix>& A, const std::string& options) {
  const auto x = Teuchos::rcp(new MultiVector(A->getDomainMap(), 1));
  const auto b = Teuchos::rcp(new MultiVector(A->getRangeMap(), 1));
  MultiVector ones(A->getDomainMap(), 1);
  ones.putScalar(1.0);
  A->apply(ones, *b);

  // [guide]
  auto M = daptor::solvers::petsc_preconditioner(A, options);  // for example "-pc_type gamg"
  auto problem = Teuchos::rcp(new Belos::LinearProblem<double, MultiVector, Operator>(A, x, b));
  problem->setRightPrec(M);  // PETSc works in Belos' own vectors
  problem->setProblem();
  // [guide]

  const auto parameters = Teuchos::parameterList();
  parameters->set("Convergence Tolerance", 1e-10);
  parameters->set("Maximum Iterations", 500);
  parameters->set("Num Blocks", 100);
  Belos::PseudoBlockGmresSolMgr<double, MultiVector, Operator> solver(problem, parameters);
  const bool converged = solver.solve() == Belos::Converged;
  x->update(-1.0, ones, 1.0);
  const double error = x->getVector(0)->normInf();
  if (A->getComm()->getRank() == 0)
    std::cout << options << ": " << solver.getNumIters() << " iterations, largest error " << error
              << (converged ? "\n" : ", not converged\n");
  return converged ? error : -1.0;
}

int run(int argc, char** argv) {
  const Teuchos::RCP<const Matrix> A = argc > 2 ? read(argv[2]) : laplacian(60);
  bool right = true;
  const std::string chosen = argc > 1 ? argv[1] : "";
  for (const char* options : {"-pc_type gamg", "-pc_type hypre -pc_hypre_type boomeramg",
                              "-pc_type bjacobi -sub_pc_type ilu -sub_pc_factor_levels 1"}) {
    const double error = solve(A, chosen.empty() ? options : chosen);
    right = right && error >= 0 && error < 1e-6;
    if (!chosen.empty()) break;
  }
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard kokkos(&argc, &argv);
  int none = 0;  // keeps the program's arguments from PETSc
  if (PetscInitialize(&none, nullptr, nullptr, nullptr) != 0) return 2;
  int status = 1;
  try {
    status = run(argc, argv);
  } catch (const daptor::Error& error) {  // the same on all ranks
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::cerr << error.what() << '\n';
  } catch (const std::exception& error) {  // thrown by Trilinos, perhaps on this rank alone
    std::cerr << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return PetscFinalize() != 0 ? 2 : status;
}
