// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of a dense symmetric matrix that a program holds in blocks: ScaLAPACK works in the
// program's own memory.
//
//   mpirun -n 4 daptor_scalapack_eigenvalues

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <mpi.h>

#include <daptor/daptor.hpp>
#include <daptor/scalapack.hpp>

#include "scalapack.hpp"

namespace {

using daptor::Index;

constexpr int n = 60;
constexpr Index block = 8;

/// The second difference, whose eigenvalues are known.
double entry(Index i, Index j) {
  if (i == j) return 2;
  return std::abs(i - j) == 1 ? -1 : 0;
}

/// The largest error of an eigenvalue.
double run(MPI_Comm comm) {
  const daptor::scalapack::Grid grid(comm);
  const daptor::scalapack::BlockCyclic rows(n, block, grid.rows()),
      columns(n, block, grid.columns());
  const std::vector<daptor::Dimension> dimensions{rows.dimension(grid.row()),
                                                  columns.dimension(grid.column())};
  // The program's memory: its blocks, column-major, wherever they came from.
  std::vector<double> memory(static_cast<std::size_t>(daptor::local_count(dimensions)));
  const daptor::DistArray a = daptor::describe(memory, dimensions, daptor::Order::fortran).on(comm);
  const daptor::LocalIndexMap map(a);
  auto values = daptor::view<double, 2>(a);
  for (Index i = 0; i < values.extent(0); ++i)
    for (Index j = 0; j < values.extent(1); ++j) {
      const std::vector<Index> global = map.global_of({i, j});
      values(i, j) = entry(global[0], global[1]);
    }

  auto A = daptor::scalapack::import_matrix<double>(a, grid);  // no copy
  auto Z = daptor::scalapack::import_matrix<double>(
      daptor::allocate<double>(dimensions, daptor::Order::fortran).on(comm), grid);
  std::vector<double> eigenvalues(n);
  example::with_work_space("pdsyev", grid.comm(), [&](double* work, int length) {
    int info = 0;
    pdsyev_("V", "U", &n, A.data(), &example::one, &example::one, A.desc(), eigenvalues.data(),
            Z.data(), &example::one, &example::one, Z.desc(), work, &length, &info);
    return info;
  });

  double error = 0;
  for (int k = 0; k < n; ++k) {
    const double angle = std::acos(-1.0) * (k + 1) / (n + 1);
    const double known = 2 - 2 * std::cos(angle);
    error = std::max(error, std::abs(eigenvalues[static_cast<std::size_t>(k)] - known));
  }
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double error = run(MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::printf("%d eigenvalues, largest error %.1e\n", n, error);
  MPI_Finalize();
  return error < 1e-12 ? 0 : 1;
}
