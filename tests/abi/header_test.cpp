// SPDX-License-Identifier: BSD-3-Clause
// The inline functions of daptor/abi.h.

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "sections.hpp"

namespace daptor::test {
namespace {

TEST(AbiHeader, TheHeadersBuildersAgreeWithDaptors) {
  double memory[64] = {};
  for (Index size = 0; size <= 20; ++size) {
    for (Index count = 1; count <= 5; ++count) {
      for (Index rank = 0; rank < count; ++rank) {
        const GridPosition grid{count, rank};
        std::vector<std::pair<daptor_dimension, Dimension>> pairs;
        pairs.emplace_back(daptor_undistributed(size), undistributed(size));
        pairs.emplace_back(daptor_even_block(size, count, rank), block(size, grid));
        for (const Index block_size : {1, 2, 3, 50}) {
          pairs.emplace_back(daptor_cyclic(size, count, rank, block_size),
                             cyclic(size, grid, block_size));
          for (Index origin = 0; origin < count; ++origin)
            pairs.emplace_back(daptor_cyclic_from(size, count, rank, block_size, origin),
                               cyclic(size, grid, block_size, origin));
        }
        for (const auto& [entry, dimension] : pairs) {
          const std::int64_t extent = dimension.local_extent();
          daptor_array section;
          daptor_array_init(&section, "d", 8, 1, &extent, &entry, memory);
          section.release = daptor_release_nothing;
          EXPECT_EQ(import_abi(&section).dimension(0), dimension) << dimension;
        }
      }
    }
  }
}

TEST(AbiHeader, ListsAgreeWithDaptors) {
  double memory[4] = {};
  const std::vector<Index> indices{4, 7, 0, 9};
  const auto count = static_cast<std::int64_t>(indices.size());
  const auto imported = [&](daptor_dimension entry) {
    daptor_array section;
    daptor_array_init(&section, "d", 8, 1, &count, &entry, memory);
    section.release = daptor_release_nothing;
    return import_abi(&section).dimension(0);
  };
  EXPECT_EQ(imported(daptor_unstructured(10, 3, 1, indices.data(), count)),
            unstructured(10, {3, 1}, IndexList(indices)));
  for (Index owned = 0; owned <= count; ++owned) {
    const Dimension list =
        imported(daptor_owned_then_ghosts(10, 3, 1, indices.data(), count, owned));
    EXPECT_EQ(list, owned_then_ghosts(10, {3, 1}, IndexList(indices), owned));
    EXPECT_EQ(list.owned_count(), owned);
  }
  const std::int64_t positions[] = {3, 0};
  EXPECT_EQ(imported(daptor_owned_at(10, 3, 1, indices.data(), count, positions, 2)),
            unstructured(10, {3, 1}, IndexList(indices), OwnedPart::at({0, 3})));
}

TEST(AbiHeader, CyclicStartsAreClippedWithoutOverflow) {
  const std::int64_t most = INT64_MAX;
  EXPECT_EQ(daptor_cyclic(most, 4, 3, most / 2).start, most);
  EXPECT_EQ(daptor_cyclic(most, 4, 2, most / 2).start, most - 1);
  EXPECT_EQ(daptor_cyclic(10, 4, 2, 5).start, 10);
  EXPECT_EQ(daptor_cyclic(10, 4, 0, most).start, 0);
  EXPECT_EQ(daptor_cyclic_from(most, 4, 1, most / 2, 2).start, most);
  EXPECT_EQ(daptor_cyclic_from(10, 4, 1, 2, 4).start, -1);
  EXPECT_EQ(daptor_cyclic_from(10, 4, 1, 2, -1).start, -1);
}

}  // namespace
}  // namespace daptor::test
