// SPDX-License-Identifier: BSD-3-Clause
// Times copies of a matrix from one library to the other: from the local lists at once, and row by
// row.

#include <functional>
#include <string>
#include <vector>

#include <petsclog.h>
#include <petscmat.h>
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <daptor/solvers.hpp>

#include "groups.hpp"
#include "laplacian.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

using CrsMatrix = daptor::solvers::CrsMatrix;
using Map = Tpetra::Map<>;
using Global = Map::global_ordinal_type;

/// Copies row by row, as one would write it with what both libraries document.
Teuchos::RCP<CrsMatrix> row_by_row(Mat A, const Teuchos::RCP<const Map>& map) {
  PetscInt first = 0;
  PetscInt last = 0;
  PetscCallAbort(PETSC_COMM_SELF, MatGetOwnershipRange(A, &first, &last));
  const auto B = Teuchos::rcp(new CrsMatrix(map, 5));
  std::vector<Global> global;
  for (PetscInt row = first; row < last; ++row) {
    PetscInt count = 0;
    const PetscInt* columns = nullptr;
    const PetscScalar* values = nullptr;
    PetscCallAbort(PETSC_COMM_SELF, MatGetRow(A, row, &count, &columns, &values));
    global.assign(columns, columns + count);
    B->insertGlobalValues(row, count, values, global.data());
    PetscCallAbort(PETSC_COMM_SELF, MatRestoreRow(A, row, &count, &columns, &values));
  }
  B->fillComplete();
  return B;
}

/// Copies row by row from Trilinos to PETSc.
void row_by_row(MPI_Comm comm, const CrsMatrix& B) {
  const auto map = B.getRowMap();
  const auto columns = B.getColMap();
  const auto local = B.getLocalMatrixHost();
  const PetscInt rows = local.numRows();
  Mat A = nullptr;
  PetscCallAbort(comm, MatCreateAIJ(comm, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE, 5, nullptr,
                                    5, nullptr, &A));
  std::vector<PetscInt> global;
  for (PetscInt r = 0; r < rows; ++r) {
    const auto begin = local.graph.row_map(static_cast<std::size_t>(r));
    const auto end = local.graph.row_map(static_cast<std::size_t>(r) + 1);
    global.clear();
    for (auto e = begin; e < end; ++e)
      global.push_back(static_cast<PetscInt>(columns->getGlobalElement(local.graph.entries(e))));
    const auto row = static_cast<PetscInt>(map->getGlobalElement(r));
    PetscCallAbort(comm, MatSetValues(A, 1, &row, static_cast<PetscInt>(global.size()),
                                      global.data(), local.values.data() + begin, INSERT_VALUES));
  }
  PetscCallAbort(comm, MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCallAbort(comm, MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscCallAbort(comm, MatDestroy(&A));
}

/// Seconds that PETSc has logged for setting up Trilinos' preconditioners.
double logged_set_up() {
  PetscLogEvent id = -1;
  if (PetscLogEventGetId("DaptorSetUp", &id) != 0 || id < 0) return 0;
  PetscEventPerfInfo info{};
  PetscCallAbort(PETSC_COMM_SELF, PetscLogEventGetPerfInfo(0, id, &info));
  return info.time;
}

double set_up_alone(Mat A) {
  const double before = logged_set_up();
  daptor::solvers::muelu_preconditioner(A, Teuchos::ParameterList());
  return logged_set_up() - before;
}

double timed(MPI_Comm comm, const std::function<void()>& work) {
  MPI_Barrier(comm);
  const double start = MPI_Wtime();
  work();
  return MPI_Wtime() - start;
}

void row(const Table& table, const std::string& rows, const char* ours, const char* theirs,
         const Pairs& pairs, double goal) {
  const Quartiles ratio = pairs.ratio();
  table.row({rows, ours, theirs, time_text(quartiles(pairs.ours)),
             time_text(quartiles(pairs.theirs)), ratio_text(ratio),
             goal > 0 ? judged(ratio, goal) + " (" + std::to_string(goal).substr(0, 4) + ")" : ""});
}

void one_size(MPI_Comm comm, PetscInt m, bool quick, const Table& table) {
  Mat A = make_laplacian(comm, m);
  const std::string rows = std::to_string(m * m);
  const auto B = daptor::solvers::copy_matrix(A);
  const auto map = B->getRowMap();
  const auto back = daptor::solvers::copy_matrix(*B);
  const Effort effort{quick ? 5 : 41, 1, 3};
  const auto copy = [&] { daptor::solvers::copy_matrix(A); };
  const auto renew = [&] { daptor::solvers::copy_values(A, *B); };

  row(table, rows, "copy_matrix to Tpetra", "insertGlobalValues, fillComplete",
      alternate(comm, effort, copy, [&] { row_by_row(A, map); }), 0.2);
  row(table, rows, "copy_matrix to PETSc", "MatSetValues, MatAssembly",
      alternate(
          comm, effort, [&] { daptor::solvers::copy_matrix(*B); }, [&] { row_by_row(comm, *B); }),
      0);
  row(table, rows, "copy_values to Tpetra", "copy_matrix to Tpetra",
      alternate(comm, effort, renew, copy), 0);
  row(table, rows, "copy_values to PETSc", "copy_matrix to PETSc",
      alternate(
          comm, effort, [&] { daptor::solvers::copy_values(*B, back.get()); },
          [&] { daptor::solvers::copy_matrix(*B); }),
      0);
  row(table, rows, "copy_matrix to Tpetra", "MueLu's own set-up",
      alternate_timed(
          comm, {quick ? 3 : 15, 1, 1}, [&] { return timed(comm, copy); },
          [&] { return set_up_alone(A); }),
      0.1);
  PetscCallAbort(comm, MatDestroy(&A));
}

}  // namespace

void matrix(MPI_Comm comm, bool quick) {
  PetscCallAbort(comm, PetscLogDefaultBegin());
  const Table table(
      comm, "Copying the matrix of a 2-d Laplacian between PETSc and Tpetra",
      {"rows", "call", "compared with", "time of the call", "time of the other", "ratio", "goal"});
  one_size(comm, quick ? 100 : 500, quick, table);
}

}  // namespace bench
