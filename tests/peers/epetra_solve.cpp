// SPDX-License-Identifier: BSD-3-Clause
// What docs/with/epetra.md says: a matrix and vectors of Epetra, solved by PETSc with MueLu, in the
// vectors' memory.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <Epetra_CrsMatrix.h>
#include <Epetra_Import.h>
#include <Epetra_IntVector.h>
#include <Epetra_Map.h>
#include <Epetra_MpiComm.h>
#include <Epetra_Vector.h>
#include <petscksp.h>

#include <daptor/petsc.hpp>
#include <daptor/solvers/register_pcs.hpp>

namespace {

/// What a program of Epetra has: rows dealt out in turn, which are in no order for PETSc.
Epetra_CrsMatrix laplacian(const Epetra_Map& map) {
  Epetra_CrsMatrix matrix(Copy, map, 3);
  const int rows = map.NumGlobalElements();
  for (int i = 0; i < map.NumMyElements(); ++i) {
    const int row = map.GID(i);
    for (int column = std::max(row - 1, 0); column < std::min(row + 2, rows); ++column) {
      const double value = column == row ? 2.0 : -1.0;
      matrix.InsertGlobalValues(row, 1, &value, &column);
    }
  }
  matrix.FillComplete();
  matrix.OptimizeStorage();
  return matrix;
}

/// A vector in its own memory, in the numbers of its Map.
daptor::DistArray described(Epetra_Vector& x, MPI_Comm comm) {
  const Epetra_BlockMap& map = x.Map();
  const int* numbers = map.MyGlobalElements();
  const std::vector<daptor::Index> list(numbers, numbers + map.NumMyElements());
  return daptor::describe(x.Values(), x.MyLength(),
                          {daptor::unstructured(map.NumGlobalElements(),
                                                {map.Comm().NumProc(), map.Comm().MyPID()},
                                                daptor::IndexList(list), map.UniqueGIDs())})
      .on(comm);
}

/// The rows of each process, whose columns are counted rank after rank, as PETSc counts.
daptor::petsc::OwnedMat copied(const Epetra_CrsMatrix& matrix, MPI_Comm comm) {
  int rows = matrix.NumMyRows(), end = 0;
  matrix.Comm().ScanSum(&rows, &end, 1);
  Epetra_IntVector number(matrix.RowMap()), column(matrix.ColMap());
  for (int i = 0; i < rows; ++i) number[i] = end - rows + i;
  column.Import(number, Epetra_Import(matrix.ColMap(), matrix.RowMap()), Insert);

  std::vector<double> values;
  std::vector<int> columns, lengths;
  for (int i = 0; i < rows; ++i) {
    int length = 0, *local = nullptr;
    double* entries = nullptr;
    matrix.ExtractMyRowView(i, length, entries, local);
    values.insert(values.end(), entries, entries + length);
    for (int k = 0; k < length; ++k) columns.push_back(column[local[k]]);
    lengths.push_back(length);
  }
  return daptor::petsc::copy_csr(
      daptor::csr_from_rows(values, columns, lengths, matrix.NumGlobalRows(), comm));
}

int run(MPI_Comm comm, int rows) {
  const Epetra_MpiComm epetra_comm(comm);
  std::vector<int> mine;
  for (int row = epetra_comm.MyPID(); row < rows; row += epetra_comm.NumProc()) mine.push_back(row);
  const Epetra_Map map(-1, static_cast<int>(mine.size()), mine.data(), 0, epetra_comm);
  const Epetra_CrsMatrix matrix = laplacian(map);
  Epetra_Vector x(map), b(map);
  b.PutScalar(1.0);

  const auto mat = copied(matrix, comm);
  auto x_array = described(x, comm);
  auto x_vec = daptor::petsc::import_vec(x_array);  // no copy: PETSc works in Epetra's memory
  auto b_vec = daptor::petsc::import_vec(described(b, comm));
  daptor::solvers::register_pcs();
  KSP ksp = nullptr;
  PC pc = nullptr;
  KSPCreate(comm, &ksp);
  KSPSetOperators(ksp, mat.get(), mat.get());
  KSPSetType(ksp, KSPCG);
  KSPSetTolerances(ksp, 1e-9, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT);
  KSPGetPC(ksp, &pc);
  PCSetType(pc, "muelu");
  KSPSetFromOptions(ksp);
  KSPSolve(ksp, b_vec.get(), x_vec.get());

  int wrong = 0;
  for (int i = 0; i < map.NumMyElements(); ++i) {
    const double expected = 0.5 * (map.GID(i) + 1.0) * (rows - map.GID(i));
    wrong += std::abs(x[i] - expected) < 1e-3 * expected ? 0 : 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm);
  PetscInt iterations = 0;
  KSPGetIterationNumber(ksp, &iterations);
  if (epetra_comm.MyPID() == 0)
    std::printf("%d wrong values, %d iterations\n", wrong, static_cast<int>(iterations));
  KSPDestroy(&ksp);
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  const int status = run(PETSC_COMM_WORLD, 3000);
  PetscFinalize();
  return status;
}
