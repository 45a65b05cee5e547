// SPDX-License-Identifier: BSD-3-Clause
// Exchanges that outlive MPI: with one run, with datatypes, with several arrays, and one in flight.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include <daptor/daptor.hpp>

#include "finalized.hpp"

namespace {

using namespace daptor;

DistArray array(Index inner) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const BlockPadding ring({1, 1}, {}, true);
  return allocate<double>(
             {block(6, {1, 0}), block(4 * ranks, {ranks, rank}, ring), undistributed(inner)})
      .on(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::vector<HaloExchange> halos;
  for (const Index inner : {1, 1000}) {
    const DistArray a = array(inner);
    halos.emplace_back(a);
    halos.emplace_back(std::vector<DistArray>{a, array(inner)});
  }
  for (HaloExchange& halo : halos) halo.update();
  halos.front().begin();
  MPI_Barrier(MPI_COMM_WORLD);
  halos.front().end();
  MPI_Finalize();
  for (HaloExchange& halo : halos)
    if (!test::throws_finalized("update", [&] { halo.update(); })) return EXIT_FAILURE;
  halos.clear();
  std::puts("all as promised");
  return EXIT_SUCCESS;
}
