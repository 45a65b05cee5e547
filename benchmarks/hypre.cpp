// SPDX-License-Identifier: BSD-3-Clause
// Matrices of hypre as Mats of PETSc, beside PETSc's own conversion.
//
//   mpirun -n 2 daptor_bench_hypre [--quick]

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <petscmathypre.h>

#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include <daptor/hypre.hpp>
#include <daptor/petsc.hpp>

#include "support/pairs.hpp"

namespace bench {
namespace {

const MPI_Comm world = MPI_COMM_WORLD;

/// The five-point Laplacian on m x m points, by hypre's IJ interface.
class Laplacian {
 public:
  explicit Laplacian(HYPRE_BigInt m) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    const auto bound = [&](long r) { return static_cast<HYPRE_BigInt>(long{m} * m * r / ranks); };
    const HYPRE_BigInt first = bound(rank), last = bound(rank + 1) - 1;
    HYPRE_IJMatrixCreate(world, first, last, first, last, &matrix_);
    HYPRE_IJMatrixSetObjectType(matrix_, HYPRE_PARCSR);
    HYPRE_IJMatrixInitialize(matrix_);
    for (HYPRE_BigInt row = first; row <= last; ++row) set_row(row, m);
    HYPRE_IJMatrixAssemble(matrix_);
  }
  Laplacian(const Laplacian&) = delete;
  Laplacian& operator=(const Laplacian&) = delete;
  ~Laplacian() { HYPRE_IJMatrixDestroy(matrix_); }

  HYPRE_ParCSRMatrix get() const {
    void* object = nullptr;
    HYPRE_IJMatrixGetObject(matrix_, &object);
    return static_cast<HYPRE_ParCSRMatrix>(object);
  }

 private:
  void set_row(HYPRE_BigInt row, HYPRE_BigInt m) {
    std::vector<HYPRE_BigInt> columns{row};
    if (row >= m) columns.push_back(row - m);
    if (row % m > 0) columns.push_back(row - 1);
    if (row % m + 1 < m) columns.push_back(row + 1);
    if (row / m + 1 < m) columns.push_back(row + m);
    std::vector<double> values(columns.size(), -1.0);
    values.front() = 4.0;
    auto count = static_cast<HYPRE_Int>(columns.size());
    HYPRE_IJMatrixSetValues(matrix_, 1, &count, &row, columns.data(), values.data());
  }

  HYPRE_IJMatrix matrix_ = nullptr;
};

/// Seconds to make a Mat, without those to destroy it.
template <class Make>
double seconds_of(const Make& make) {
  const double start = MPI_Wtime();
  const daptor::petsc::OwnedMat mat(make());
  return MPI_Wtime() - start;
}

void measure(const Table& table, HYPRE_BigInt m, const Effort& effort) {
  const Laplacian laplacian(m);
  const HYPRE_ParCSRMatrix A = laplacian.get();
  const auto theirs = [&] {
    return seconds_of([&] {
      Mat mat = nullptr;
      PetscCallAbort(world, MatCreateFromParCSR(reinterpret_cast<hypre_ParCSRMatrix*>(A), MATAIJ,
                                                PETSC_COPY_VALUES, &mat));
      return mat;
    });
  };
  const auto row = [&](const char* call, const std::function<double()>& ours) {
    const Pairs pairs = alternate_timed(world, effort, ours, theirs);
    const Quartiles ratio = pairs.ratio();
    table.row({std::to_string(m * m), call, time_text(quartiles(pairs.ours)),
               time_text(quartiles(pairs.theirs)), ratio_text(ratio), judged(ratio, 1.5)});
  };
  row("petsc::copy_csr(hypre::describe(A))", [&] {
    return seconds_of([&] { return daptor::petsc::copy_csr(daptor::hypre::describe(A)); });
  });
  row("petsc::copy_csr(hypre::copy_csr(A))", [&] {
    return seconds_of([&] { return daptor::petsc::copy_csr(daptor::hypre::copy_csr(A)); });
  });
}

void run(bool quick) {
  int ranks = 1;
  MPI_Comm_size(world, &ranks);
  const Table table(
      world, "A matrix of hypre as a Mat (2-d Laplacian), on " + std::to_string(ranks) + " ranks",
      {"rows", "call", "time", "MatCreateFromParCSR", "ratio", "goal 1.5"});
  const Effort effort{quick ? 5 : 101, 1, 3};
  measure(table, quick ? 30 : 300, effort);
  if (!quick) measure(table, 1000, {41, 1, 3});
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  PetscCallAbort(MPI_COMM_WORLD, PetscInitialize(&argc, &argv, nullptr, nullptr));
  HYPRE_Init();
  bench::run(argc > 1 && std::strcmp(argv[1], "--quick") == 0);
  HYPRE_Finalize();
  return PetscFinalize();
}
