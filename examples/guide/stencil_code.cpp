// SPDX-License-Identifier: BSD-3-Clause
// A stencil code with ghost cells on all sides of its memory computes heat in a plate whose edges
// have a given temperature, by explicit steps. The same program runs on any number of processes.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>
#include <vector>

#include <daptor/daptor.hpp>

namespace {

/// A solution of the discrete equations that is also one of the differential equation, so that no
/// step changes it.
double steady(double x, double y) {
  return x * x - y * y;
}

int run(MPI_Comm comm) {
  constexpr daptor::Index n = 24, m = 16;
  // [guide]
  daptor::BlockOptions options;
  options.ghosts = {1};  // one ghost cell on every side of every section
  const auto dimensions = daptor::block_dimensions({n, m}, comm, options);
  std::vector<double> now(static_cast<std::size_t>(daptor::local_count(dimensions)));
  std::vector<double> next(now.size());

  auto u = daptor::describe(now, dimensions).on(comm);  // no copy; the length is checked
  auto v = daptor::describe(next, dimensions).on(comm);
  daptor::HaloExchange halo(u);  // collective: an error on any rank is thrown on all
  // [guide]

  // Cell (0, 0) of the interior is element (1, 1) of the memory. Its global index in the described
  // array, which counts ghost cells, is the start of the dimension's interior.
  const daptor::Index first_row = dimensions[0].interior()->start - 1;
  const daptor::Index first_column = dimensions[1].interior()->start - 1;
  const auto exact = [&](daptor::Index i, daptor::Index j) {
    return steady(static_cast<double>(first_row + i) / n,
                  static_cast<double>(first_column + j) / n);
  };
  // Zero inside; the ghost cells outside the plate have the given temperature.
  for (const daptor::DistArray& array : {u, v}) {
    const auto cells = daptor::view<double, 2>(array);
    for (daptor::Index i = 0; i < cells.extent(0); ++i)
      for (daptor::Index j = 0; j < cells.extent(1); ++j) {
        const daptor::Index row = first_row + i - 1, column = first_column + j - 1;
        const bool inside = 0 <= row && row < n && 0 <= column && column < m;
        cells(i, j) = inside ? 0.0 : exact(i, j);
      }
  }

  double change = 1;
  int steps = 0;
  while (change > 1e-8 && steps < 5000) {
    halo.rebind(u);
    halo.update();
    const auto old = daptor::interior_view<const double, 2>(u);
    const auto fresh = daptor::interior_view<double, 2>(v);
    change = 0;
    for (daptor::Index i = 0; i < old.extent(0); ++i)
      for (daptor::Index j = 0; j < old.extent(1); ++j) {
        // Ghost cells surround the interior, so no edge needs a special case.
        fresh(i, j) = 0.25 * (old(i - 1, j) + old(i + 1, j) + old(i, j - 1) + old(i, j + 1));
        change = std::max(change, std::abs(fresh(i, j) - old(i, j)));
      }
    MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, comm);
    std::swap(u, v);
    ++steps;
  }

  double error = 0;
  const auto cells = daptor::interior_view<const double, 2>(u);
  for (daptor::Index i = 0; i < cells.extent(0); ++i)
    for (daptor::Index j = 0; j < cells.extent(1); ++j)
      error = std::max(error, std::abs(cells(i, j) - exact(i + 1, j + 1)));
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) std::cout << u << '\n' << steps << " steps, largest error " << error << '\n';
  return error < 1e-5 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = run(MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}
