// After set-up nothing is allocated.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include <daptor/daptor.hpp>

#include "../../examples/demo/allocations.hpp"

namespace {

using namespace daptor;

/// Faces of every kind: one run, far rows, near elements, lists.
std::vector<DistArray> arrays() {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const GridPosition grid{ranks, rank};
  const BlockPadding ring({2, 1}, {}, true);
  std::vector<Index> shared{0};
  for (Index i = 0; i < 40; ++i) shared.push_back(1 + (37 * i + 11 * rank) % 200);
  std::sort(shared.begin(), shared.end());
  shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
  const IndexRange owned = even_block(201, grid);
  shared.erase(std::remove_if(shared.begin(), shared.end(),
                              [&](Index index) { return owned.contains(index); }),
               shared.end());
  return {allocate<double>({block(8 * ranks, grid, ring), block(30, {1, 0}, ring)}),
          allocate<float>({block(30, {1, 0}), block(8 * ranks, grid, ring)}),
          allocate<double>({block(30, {1, 0}), block(2000 * ranks, grid, ring)}),
          allocate<double>({block_then_ghosts(201, grid, shared), undistributed(3)})};
}

TEST(Allocations, NoneAfterSetUp) {
  for (const DistArray& a : arrays()) {
    HaloExchange halo({a, a.with_memory(a.mutable_data())}, MPI_COMM_WORLD);
    const auto rounds = [&] {
      for (int i = 0; i < 10; ++i) {
        halo.begin();
        halo.end();
        halo.accumulate(Combine::sum);
      }
    };
    // MPI's own lists grow now and then; what we asked for would be in every repetition.
    std::size_t fewest = 1;
    for (int repetition = 0; repetition < 20; ++repetition) {
      allocations::start(1);
      rounds();
      fewest = std::min(fewest, allocations::stop().number);
    }
    EXPECT_EQ(fewest, 0U);
  }
  allocations::start(1);
  const auto counted = std::make_unique<std::vector<int>>(3);
  EXPECT_GE(allocations::stop().number, counted ? 2U : 0U) << "requests are counted";
}

}  // namespace
