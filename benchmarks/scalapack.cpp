// SPDX-License-Identifier: BSD-3-Clause
// Matrices as ScaLAPACK has them: described beside what the library's own descinit does, and dense
// matrices of PETSc brought into blocks beside PETSc's own conversion.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <petscksp.h>
#include <daptor/petsc.hpp>
#include <daptor/scalapack.hpp>

#include "beside.hpp"
#include "groups.hpp"
#include "native.hpp"

extern "C" {
int Csys2blacs_handle(MPI_Comm comm);
void Cfree_blacs_system_handle(int handle);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridinfo(int context, int* rows, int* columns, int* row, int* column);
void Cblacs_gridexit(int context);
int numroc_(const int* n, const int* block, const int* process, const int* source,
            const int* processes);
void descinit_(int* desc, const int* m, const int* n, const int* mb, const int* nb,
               const int* row_source, const int* column_source, const int* context, const int* lld,
               int* info);
void pdgesv_(const int* size, const int* right_sides, double* a, const int* row, const int* column,
             const int* desc, int* pivots, double* b, const int* row_of_b, const int* column_of_b,
             const int* desc_of_b, int* info);
}

namespace bench {
namespace {

namespace scalapack = daptor::scalapack;

constexpr int one = 1;
constexpr int zero = 0;
constexpr int block = 64;

/// Rows and columns of a square matrix of about this many elements on each process.
int order_of(std::int64_t elements, int processes) {
  return static_cast<int>(std::lround(std::sqrt(static_cast<double>(elements * processes))));
}

std::vector<std::int64_t> sizes(bool quick) {
  if (quick) return {1000, 1000000};
  return {1000, 10000, 100000, 1000000, 10000000};
}

/// What a program writes that has no Daptor.
scalapack::Descriptor raw_descriptor(int n, int context) {
  int rows = 0, columns = 0, row = 0, column = 0, info = 0;
  Cblacs_gridinfo(context, &rows, &columns, &row, &column);
  const int lld = std::max(1, numroc_(&n, &block, &row, &zero, &rows));
  numroc_(&n, &block, &column, &zero, &columns);
  scalapack::Descriptor desc{};
  descinit_(desc.data(), &n, &n, &block, &block, &zero, &zero, &context, &lld, &info);
  return desc;
}

void describing(MPI_Comm comm, bool quick) {
  const Table table(comm, "A matrix of n doubles per rank, described to ScaLAPACK and by it",
                    {"call, n", "ours", "gridinfo, numroc, descinit", "excess without MPI",
                     "goal 6 us", "additional collective calls (goal: at most 2)"});
  const scalapack::Grid grid(comm);
  for (const std::int64_t elements : sizes(quick)) {
    const int n = order_of(elements, Ranks(comm).size);
    const scalapack::Descriptor desc = raw_descriptor(n, grid.context());
    const scalapack::BlockCyclic columns(n, block, grid.columns());
    const Memory memory(static_cast<std::size_t>(desc[8]) *
                        static_cast<std::size_t>(columns.local_count(grid.column())));
    const auto array = scalapack::export_matrix(desc.data(), memory.data.get(), comm);
    const auto raw = [&] { raw_descriptor(n, grid.context()); };
    beside_row(
        table, comm, {"scalapack", "import_matrix", size_text(elements), "descinit"}, 6e-6, quick,
        [&] { scalapack::import_matrix<double>(array, grid); }, raw);
    beside_row(
        table, comm, {"scalapack", "export_matrix", size_text(elements), "descinit"}, 6e-6, quick,
        [&] { scalapack::export_matrix(desc.data(), memory.data.get(), comm); }, raw);
  }
}

void grids(MPI_Comm comm, bool quick) {
  const Table table(comm, "A grid of all processes",
                    {"Grid(comm), known", "Cblacs_gridinit, Cblacs_gridexit", "ratio", "goal 1"});
  const scalapack::Grid kept(comm);
  const Pairs pairs = alternate(
      comm, {quick ? 11 : 41, 20}, [&] { scalapack::Grid grid(comm); },
      [&] {
        int context = Csys2blacs_handle(comm);
        const int handle = context;
        Cblacs_gridinit(&context, "Row", kept.rows(), kept.columns());
        Cblacs_gridexit(context);
        Cfree_blacs_system_handle(handle);
      });
  table.row({time_text(quartiles(pairs.ours)), time_text(quartiles(pairs.theirs)),
             ratio_text(pairs.ratio()), judged(pairs.ratio(), 1)});
}

#if defined(PETSC_HAVE_SCALAPACK) && !defined(PETSC_USE_COMPLEX)

/// A dense matrix of PETSc and a right-hand side.
struct Dense {
  Dense(MPI_Comm ranks, PetscInt n) : comm(ranks) {
    PetscCallAbort(comm, MatCreateDense(comm, PETSC_DECIDE, PETSC_DECIDE, n, n, nullptr, &mat));
    PetscInt start = 0, stop = 0, leading = 0;
    PetscScalar* values = nullptr;
    PetscCallAbort(comm, MatGetOwnershipRange(mat, &start, &stop));
    PetscCallAbort(comm, MatDenseGetLDA(mat, &leading));
    PetscCallAbort(comm, MatDenseGetArrayWrite(mat, &values));
    for (PetscInt j = 0; j < n; ++j)
      for (PetscInt i = start; i < stop; ++i)
        values[i - start + std::ptrdiff_t{j} * leading] =
            (i == j ? n : 0) + 1.0 / (1.0 + std::abs(i - j));
    PetscCallAbort(comm, MatDenseRestoreArrayWrite(mat, &values));
    PetscCallAbort(comm, MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY));
    PetscCallAbort(comm, MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY));
    PetscCallAbort(comm, MatCreateVecs(mat, &x, &b));
    PetscCallAbort(comm, VecSet(b, 1.0));
  }
  ~Dense() {
    MatDestroy(&mat);
    VecDestroy(&x);
    VecDestroy(&b);
  }
  Dense(const Dense&) = delete;
  Dense& operator=(const Dense&) = delete;

  MPI_Comm comm;
  Mat mat = nullptr;
  Vec x = nullptr, b = nullptr;
};

/// PETSc's own way, with its set-up.
Mat converted(const Dense& dense) {
  Mat blocks = nullptr;
  PetscCallAbort(dense.comm, MatConvert(dense.mat, MATSCALAPACK, MAT_INITIAL_MATRIX, &blocks));
  return blocks;
}

void solve_by_petsc(const Dense& dense) {
  Mat blocks = converted(dense);
  PetscCallAbort(dense.comm, MatLUFactor(blocks, nullptr, nullptr, nullptr));
  PetscCallAbort(dense.comm, MatSolve(blocks, dense.b, dense.x));
  PetscCallAbort(dense.comm, MatDestroy(&blocks));
}

/// Ours: the matrix into blocks, the right-hand side too, and the solution home.
void solve_by_copies(const Dense& dense, const scalapack::Grid& grid) {
  auto A = scalapack::copy_to_matrix<double>(daptor::petsc::export_dense(dense.mat), grid);
  auto B = scalapack::copy_to_matrix<double>(daptor::petsc::export_vec(dense.b), grid);
  const auto n = static_cast<int>(A.global_rows());
  std::vector<int> pivots(static_cast<std::size_t>(A.local_rows() + block));
  int info = 0;
  pdgesv_(&n, &one, A.data(), &one, &one, A.desc(), pivots.data(), B.data(), &one, &one, B.desc(),
          &info);
  if (info != 0) MPI_Abort(dense.comm, 1);
  scalapack::copy_from_matrix(B, daptor::petsc::export_vec(dense.x));
}

/// The grid that PETSc chooses, so that as much is moved.
scalapack::Grid grid_as_petsc(MPI_Comm comm) {
  const int size = Ranks(comm).size;
  auto rows = static_cast<int>(std::sqrt(size) + 0.001);
  if (size % rows != 0) rows = 1;
  return scalapack::Grid(comm, rows, size / rows);
}

void from_petsc(MPI_Comm comm, bool quick) {
  const Table table(comm,
                    "A MATDENSE of n x n into blocks of 64 x 64, with all set-up but Daptor's grid",
                    {"n", "work", "through copy_to_matrix", "MatConvert to MATSCALAPACK",
                     "ours is faster by", "goal 3x"});
  const scalapack::Grid grid = grid_as_petsc(comm);
  const std::vector<PetscInt> orders =
      quick ? std::vector<PetscInt>{300} : std::vector<PetscInt>{500, 1000, 2000, 4000};
  for (const PetscInt n : orders) {
    const Dense dense(comm, n);
    const auto row = [&](const std::string& work, bool goal, const Pairs& pairs) {
      // How often theirs holds ours.
      const Pairs turned{pairs.theirs, pairs.ours};
      const Quartiles faster = turned.ratio();
      const Quartiles slower = pairs.ratio();
      table.row({std::to_string(n), work, time_text(quartiles(pairs.ours)),
                 time_text(quartiles(pairs.theirs)), ratio_text(faster),
                 goal ? judged(slower, 1.0 / 3) : std::string()});
    };
    const auto ours = [&] {
      scalapack::copy_to_matrix<double>(daptor::petsc::export_dense(dense.mat), grid);
    };
    const auto theirs = [&] {
      Mat blocks = converted(dense);
      PetscCallAbort(comm, MatDestroy(&blocks));
    };
    const Effort effort{quick ? 5 : n > 2000 ? 11 : 21, 1};
    row("moved", true, alternate(comm, effort, ours, theirs));
    // PETSc keeps its grid as long as a Mat of the type lives.
    Mat alive = converted(dense);
    row("moved, PETSc's grid known", true, alternate(comm, effort, ours, theirs));
    // Beyond this the solver is all that is seen.
    if (n <= 1000)
      row("solved, PETSc's grid known", false,
          alternate(
              comm, {quick ? 3 : 11, 1, 1}, [&] { solve_by_copies(dense, grid); },
              [&] { solve_by_petsc(dense); }));
    PetscCallAbort(comm, MatDestroy(&alive));
  }
}

#else

void from_petsc(MPI_Comm, bool) {}

#endif

}  // namespace

void scalapack_matrices(MPI_Comm comm, bool quick) {
  describing(comm, quick);
  grids(comm, quick);
  from_petsc(comm, quick);
}

}  // namespace bench
