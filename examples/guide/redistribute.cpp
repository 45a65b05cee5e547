// SPDX-License-Identifier: BSD-3-Clause
// Copies an array to another layout: once, many times, and on other processes.

#include <cstdio>
#include <cstdlib>

#include <daptor/daptor.hpp>

namespace {

using daptor::Index;

/// Sets the elements that this process owns to their row-major numbers.
void number(const daptor::DistArray& a) {
  daptor::WriteLease lease(a);
  const auto u = lease.view<double, 2>();
  const daptor::LocalIndexMap map(a);
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j)
      u(i, j) = static_cast<double>(map.natural_of(map.global_of({i, j})));
}

bool numbered(const daptor::DistArray& a, double factor) {
  daptor::ReadLease lease(a);
  const auto u = lease.view<const double, 2>();
  const daptor::LocalIndexMap map(a);
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j)
      if (u(i, j) != factor * static_cast<double>(map.natural_of(map.global_of({i, j}))))
        return false;
  return true;
}

int run(MPI_Comm comm) {
  // The rows of an existing code: its memory is described.
  daptor::BlockOptions by_rows;
  by_rows.grid = {0, 1};
  const auto dimensions = daptor::block_dimensions({60, 45}, comm, by_rows);
  std::vector<double> u(static_cast<std::size_t>(daptor::local_count(dimensions)));
  const auto rows = daptor::describe(u, dimensions).on(comm);
  number(rows);

  // Once: the new array is described, allocated and filled in one call.
  const auto lu = daptor::redistributed(rows, daptor::layout::block_cyclic({8, 8}));
  const bool dealt = numbered(lu, 1);
  daptor::redistribute(lu, rows);  // and back

  // Many times: the copy is planned once.
  const auto columns = daptor::like(rows, daptor::layout::slab(1, daptor::Order::fortran));
  daptor::Redistribution transpose(rows, columns);
  bool there_and_back = true;
  for (int step = 1; step <= 3; ++step) {
    transpose.run();
    there_and_back = there_and_back && numbered(columns, 1);
    transpose.run_back();
  }
  daptor::Transform twice;
  twice.scale = 2;
  transpose.run(twice);
  there_and_back = there_and_back && numbered(columns, 2) && numbered(rows, 1);

  // The whole array on one process, for writing a file.
  const auto whole = daptor::redistributed(rows, daptor::layout::on_process(0));

  int good = dealt && there_and_back && numbered(whole, 1) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) std::printf("there and back: %s\n", good == 1 ? "equal" : "DIFFERENT");
  return good == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = run(MPI_COMM_WORLD);
  MPI_Finalize();
  return code;
}
