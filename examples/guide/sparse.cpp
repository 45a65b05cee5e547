// SPDX-License-Identifier: BSD-3-Clause
// The program that docs/sparse.md quotes: the particles of a simulation that have left their cell
// are packed, handled and unpacked, and those of each cell are counted.

#include <cstdint>
#include <cstdio>
#include <vector>

#include <mpi.h>

#include <daptor/daptor.hpp>

namespace {

int run(const daptor::Comm& comm) {
  const daptor::Index particles = 1000;
  const auto even = daptor::block(particles, {comm.size(), comm.rank()});
  const auto count = static_cast<std::size_t>(even.owned_count());
  std::vector<double> position(count);
  std::vector<std::int32_t> left(count), first_of_cell(count), rank_in_cell(count);

  const auto x = daptor::describe(position, {even}).on(comm);
  const auto mask = daptor::describe(left, {even}).on(comm);
  const auto cell = daptor::describe(first_of_cell, {even}).on(comm);
  const auto number = daptor::describe(rank_in_cell, {even}).on(comm);

  daptor::enumerate(x, 0.0, 0.25);  // 0, 0.25, 0.5, ... over all ranks
  for (std::size_t i = 0; i < count; ++i) {
    left[i] = position[i] >= 200 ? 1 : 0;
    first_of_cell[i] = position[i] == static_cast<double>(static_cast<int>(position[i])) ? 1 : 0;
    rank_in_cell[i] = 1;
  }

  auto gone = daptor::packed(x, mask);  // in even blocks of their own
  const auto view = daptor::view<double, 1>(gone);
  for (daptor::Index i = 0; i < view.size(); ++i) view(i) -= 200;
  const daptor::Index moved = daptor::unpack(gone, mask, x);  // and back to their places

  daptor::ScanOptions exclusive;
  exclusive.exclusive = true;
  daptor::scan_add(number, number, cell, exclusive);  // 0 1 2 3 0 1 2 3 ... in place

  const std::vector<daptor::Index> numbers = daptor::LocalIndexMap(x).owned_natural();
  int wrong = moved == 200 ? 0 : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const auto global = static_cast<std::size_t>(numbers[i]);
    if (rank_in_cell[i] != static_cast<int>(global % 4)) ++wrong;
    if (position[i] >= 200) ++wrong;
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int wrong = run(MPI_COMM_WORLD);
  if (wrong == 0) std::printf("packed, unpacked and counted\n");
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
