// SPDX-License-Identifier: BSD-3-Clause
// Redistributions that outlive MPI, one of them with its opposite direction.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <daptor/daptor.hpp>

#include "finalized.hpp"

int main(int argc, char** argv) {
  using namespace daptor;
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<Redistribution> moves;
  for (int i = 0; i < 2; ++i) {
    const DistArray a =
        allocate<double>({block(50, {ranks, rank}), undistributed(6)}).on(MPI_COMM_WORLD);
    moves.emplace_back(a, like(a, layout::slab(1, Order::fortran)));
    moves.back().run();
  }
  moves.front().run_back();
  MPI_Finalize();
  for (Redistribution& move : moves) {
    if (!test::throws_finalized("run", [&] { move.run(); })) return EXIT_FAILURE;
    if (!test::throws_finalized("run_back", [&] { move.run_back(); })) return EXIT_FAILURE;
  }
  moves.clear();
  std::puts("all as promised");
  return EXIT_SUCCESS;
}
