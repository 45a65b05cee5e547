// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/local_index_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "daptor/error.hpp"
#include "effort.hpp"
#include "layouts.hpp"
#include "text.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

constexpr Index largest = std::numeric_limits<Index>::max();

template <class F>
std::string rule_of(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.rule();
  }
  return "";
}

/// Checks every query about one process's part of a dimension without padding against the list of
/// the indices that it owns.
void check_owned(const LocalDimensionMap& map, const std::vector<Index>& owned, Index global_size) {
  ASSERT_EQ(map.owned_count(), static_cast<Index>(owned.size()));
  ASSERT_EQ(map.global_size(), global_size);
  for (Index i = 0; i < map.owned_count(); ++i)
    ASSERT_EQ(map.global_of(map.owned_offset() + i), owned[static_cast<std::size_t>(i)]) << i;
  for (Index global = -3; global < global_size + 3; ++global) {
    const auto at = std::find(owned.begin(), owned.end(), global);
    const auto local = map.local_of(global);
    ASSERT_EQ(local.has_value(), at != owned.end()) << global;
    ASSERT_EQ(map.owns(global), at != owned.end()) << global;
    if (local) {
      ASSERT_EQ(*local, map.owned_offset() + (at - owned.begin())) << global;
    }
  }
  for (Index local = -2; local < map.local_extent() + 2; ++local)
    ASSERT_EQ(map.is_owned(local),
              map.owned_offset() <= local && local < map.owned_offset() + map.owned_count());
  std::vector<Index> visited;
  Index runs = 0;
  map.for_each_run([&](const IndexRun& run) {
    ASSERT_GT(run.count, 0);
    ASSERT_EQ(run.local_start, map.owned_offset() + static_cast<Index>(visited.size()));
    for (Index i = 0; i < run.count; ++i) visited.push_back(run.global_start + i);
    ++runs;
  });
  ASSERT_EQ(visited, owned);
  ASSERT_EQ(map.run_count(), runs);
}

/// Names the dimension. It is expensive, so it is called only after a failure.
void name_failure(const LocalDimensionMap& map) {
  if (::testing::Test::HasFatalFailure()) ADD_FAILURE() << text(map.dimension());
}

/// The number of runs if each is as long as possible.
Index longest_run_count(const std::vector<Index>& owned) {
  Index count = owned.empty() ? 0 : 1;
  for (std::size_t i = 1; i < owned.size(); ++i) count += owned[i] != owned[i - 1] + 1 ? 1 : 0;
  return count;
}

void check_axis(const Axis& axis) {
  for (Index rank = 0; rank < axis.processes; ++rank) {
    const LocalDimensionMap map(axis.make({axis.processes, rank}));
    const auto& owned = axis.owned[static_cast<std::size_t>(rank)];
    check_owned(map, owned, axis.size);
    EXPECT_EQ(map.local_extent(), map.owned_count());
    EXPECT_EQ(map.run_count(), longest_run_count(owned));
    name_failure(map);
  }
}

TEST(LocalDimensionMap, EvenBlocksOfEverySmallSize) {
  for (Index processes = 1; processes <= 7; ++processes) {
    for (Index size = 0; size <= 40; ++size) {
      check_axis(even_axis(size, processes));
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

TEST(LocalDimensionMap, EveryPartitionIntoBlocks) {
  for (Index processes = 1; processes <= 5; ++processes) {
    for (Index size = 0; size <= 9; ++size) {
      for (const auto& lengths : partitions(size, processes)) {
        check_axis(block_axis(lengths));
        ASSERT_FALSE(HasFatalFailure());
      }
    }
  }
}

TEST(LocalDimensionMap, CyclicOfEverySmallSizeBlockSizeAndOrigin) {
  int number = 0;
  for (Index processes = 1; processes <= 7; ++processes) {
    for (Index size = 0; size <= 40; ++size) {
      for (Index block_size = 1; block_size <= size + 1; ++block_size) {
        for (Index origin = 0; origin < processes; ++origin) {
          if (!tried(number++, 11)) continue;
          check_axis(cyclic_axis(size, processes, block_size, origin));
          ASSERT_FALSE(HasFatalFailure());
        }
      }
    }
  }
}

TEST(LocalDimensionMap, CyclicCountsOfTheChecklist) {
  const auto counts = [](Index size, Index block_size, Index processes) {
    std::vector<Index> result;
    for (Index rank = 0; rank < processes; ++rank)
      result.push_back(
          LocalDimensionMap(cyclic(size, {processes, rank}, block_size)).owned_count());
    return result;
  };
  EXPECT_EQ(counts(7, 2, 2), (std::vector<Index>{4, 3}));
  EXPECT_EQ(counts(5, 2, 3), (std::vector<Index>{2, 2, 1}));
  EXPECT_EQ(counts(10, 3, 2), (std::vector<Index>{6, 4}));
}

TEST(LocalDimensionMap, SurplusCyclicProcessesOwnNothing) {
  // A start that is clipped to the size, and one that is not (A23).
  for (const Index start : {3, 4}) {
    const LocalDimensionMap map(Dimension(3, Cyclic{{5, 4}, start, 1}));
    check_owned(map, {}, 3);
  }
}

/// The global index at each local index, found by walking outwards from the first owned one.
std::vector<Index> walk(const Axis& axis, Index rank, Padding communication) {
  std::vector<Index> all = axis.owned[static_cast<std::size_t>(rank)];
  if (all.empty()) return all;
  const auto step = [&](Index from, Index by) {
    const Index to = from + by;
    if (!axis.periodic) return to;
    return to < 0 ? axis.size - 1 : to == axis.size ? 0 : to;
  };
  for (Index i = 0; i < communication.lower; ++i) all.insert(all.begin(), step(all.front(), -1));
  for (Index i = 0; i < communication.upper; ++i) all.push_back(step(all.back(), +1));
  return all;
}

void check_padded(const Axis& axis, Padding width) {
  for (Index rank = 0; rank < axis.processes; ++rank) {
    const LocalDimensionMap map(axis.make({axis.processes, rank}));
    const auto& owned = axis.owned[static_cast<std::size_t>(rank)];
    check_owned(map, owned, axis.size);
    if (owned.empty()) continue;
    const Padding communication{rank > 0 || axis.periodic ? width.lower : 0,
                                rank + 1 < axis.processes || axis.periodic ? width.upper : 0};
    const std::vector<Index> expected = walk(axis, rank, communication);
    ASSERT_EQ(map.local_extent(), static_cast<Index>(expected.size()));
    ASSERT_EQ(map.owned_offset(), communication.lower);
    for (Index local = 0; local < map.local_extent(); ++local) {
      const Index global = expected[static_cast<std::size_t>(local)];
      if (global < 0 || global >= axis.size) {
        ASSERT_EQ(rule_of([&] { map.global_of(local); }), "P14") << local;
      } else {
        ASSERT_EQ(map.global_of(local), global) << text(map.dimension()) << " at " << local;
      }
    }
    name_failure(map);
  }
}

TEST(LocalDimensionMap, EveryPaddingOfEveryPartition) {
  int number = 0;
  for (Index processes = 1; processes <= 4; ++processes) {
    for (Index size = 0; size <= 6; ++size) {
      for (const auto& lengths : partitions(size, processes)) {
        for (Index lower = 0; lower <= 3; ++lower) {
          for (Index upper = 0; upper <= 3; ++upper) {
            for (const bool periodic : {false, true}) {
              if (!tried(number++, 5)) continue;
              const Padding width{lower, upper};
              check_padded(block_axis(lengths, {width, width, periodic}), width);
              ASSERT_FALSE(HasFatalFailure());
            }
          }
        }
      }
    }
  }
}

TEST(LocalDimensionMap, PaddingThatWrapsSeveralTimes) {
  // [1, 2) of a periodic dimension of size 2, with padding of width seven below and six above.
  const LocalDimensionMap map(block(2, {2, 1}, {1, 2}, {{7, 6}, {}, true}));
  ASSERT_EQ(map.local_extent(), 14);
  for (Index local = 0; local < 14; ++local) EXPECT_EQ(map.global_of(local), local % 2) << local;
}

TEST(LocalDimensionMap, UndistributedPeriodicPaddingIsItsOwnNeighbour) {
  const LocalDimensionMap map(Dimension(3, Undistributed{{}, {2, 1}, true}, true));
  check_owned(map, {0, 1, 2}, 3);
  std::vector<Index> globals;
  for (Index local = 0; local < map.local_extent(); ++local)
    globals.push_back(map.global_of(local));
  EXPECT_EQ(globals, (std::vector<Index>{1, 2, 0, 1, 2, 0}));
}

TEST(LocalDimensionMap, BoundaryPaddingIsOwned) {
  // The specification's second example.
  const BlockPadding padding{{1, 1}, {1, 1}, false};
  const LocalDimensionMap first(block(18, {2, 0}, padding));
  const LocalDimensionMap second(block(18, {2, 1}, padding));
  EXPECT_EQ(first.owned_count(), 9);
  EXPECT_EQ(first.local_extent(), 10);
  EXPECT_EQ(first.owned_offset(), 0);
  EXPECT_EQ(first.global_of(9), 9);
  EXPECT_FALSE(first.is_owned(9));
  EXPECT_EQ(second.global_of(0), 8);
  EXPECT_EQ(second.owned_offset(), 1);
  EXPECT_EQ(second.local_of(17), 9);
}

TEST(LocalDimensionMap, EmptySectionHasNoExtentWhateverItsPaddingSays) {
  const LocalDimensionMap map(Dimension(5, Block{{3, 2}, {5, 5}, {0, 1}, {1, 0}, true}));
  EXPECT_EQ(map.local_extent(), 0);
  EXPECT_EQ(map.owned_offset(), 0);
  check_owned(map, {}, 5);
}

TEST(LocalDimensionMap, UnstructuredLists) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Index processes = 1 + seed % 7;
    check_axis(shuffled_axis(static_cast<Index>(seed), processes, seed));
    const Axis ghosted = ghosted_axis(static_cast<Index>(seed), processes, seed);
    for (Index r = 0; r < processes; ++r)
      check_owned(LocalDimensionMap(ghosted.make({processes, r})),
                  ghosted.owned[static_cast<std::size_t>(r)], ghosted.size);
    ASSERT_FALSE(HasFatalFailure());
  }
  // Negative indices, indices beyond the size, gaps, ascending and not.
  check_axis(unstructured_axis(4, {{-2, -1, 7}, {5, -3, 100, 101, 6}, {}}));
}

TEST(LocalDimensionMap, UnstructuredIndicesAtTheEndsOfTheIntegers) {
  const Index lowest = std::numeric_limits<Index>::min();
  const LocalDimensionMap map(
      unstructured(4, {1, 0}, IndexList({largest - 1, largest, lowest, lowest + 1, 0})));
  EXPECT_EQ(map.run_count(), 3);
  EXPECT_EQ(map.local_of(lowest), 2);
  EXPECT_EQ(map.local_of(largest), 1);
  EXPECT_FALSE(map.local_of(1));
}

TEST(LocalDimensionMap, LocalIndicesOutsideTheSection) {
  const Dimension dimensions[] = {block(9, {2, 1}, BlockPadding{{1, 1}, {}, true}),
                                  cyclic(9, {2, 1}, 2), undistributed(0),
                                  unstructured(3, {1, 0}, IndexList({5, 7})), undistributed(4)};
  for (const Dimension& dimension : dimensions) {
    const LocalDimensionMap map(dimension);
    for (const Index outside :
         {Index{-1}, map.local_extent(), std::numeric_limits<Index>::min(), largest})
      EXPECT_THROW(map.global_of(outside), InvalidArgument) << text(dimension) << outside;
  }
}

TEST(LocalDimensionMap, RunsByNumber) {
  const LocalDimensionMap map(cyclic(11, {2, 0}, 3));
  ASSERT_EQ(map.run_count(), 2);
  EXPECT_EQ(map.run(1).global_start, 6);
  EXPECT_EQ(map.run(1).local_start, 3);
  EXPECT_EQ(map.run(1).count, 3);
  EXPECT_THROW(map.run(2), InvalidArgument);
  EXPECT_THROW(map.run(-1), InvalidArgument);
  EXPECT_THROW(LocalDimensionMap(unstructured(1, {1, 0}, IndexList({0}))).run(0), InvalidArgument);
}

TEST(LocalDimensionMap, BadDimensionsAreRefused) {
  const auto rule = [](const Dimension& dimension) {
    return rule_of([&] { LocalDimensionMap map(dimension); });
  };
  EXPECT_EQ(rule(Dimension(-1, Undistributed{})), "D08");
  EXPECT_EQ(rule(Dimension(4, Block{{0, 0}, {0, 4}, {}, {}, false})), "D13");
  EXPECT_EQ(rule(Dimension(4, Cyclic{{2, 2}, 0, 1})), "D18");
  EXPECT_EQ(rule(Dimension(4, Block{{1, 0}, {3, 1}, {}, {}, false})), "B04");
  EXPECT_EQ(rule(Dimension(4, Cyclic{{2, 0}, 0, 0})), "C05");
}

TEST(LocalDimensionMap, SizesNearTheEndOfTheIntegers) {
  for (const Index size : {(Index{1} << 31) - 1, Index{1} << 31, (Index{1} << 32) + 1,
                           (Index{1} << 62) + 3, largest}) {
    const LocalDimensionMap last(block(size, {3, 2}));
    EXPECT_EQ(last.global_of(last.owned_count() - 1), size - 1);
    EXPECT_EQ(last.local_of(size - 1), last.owned_count() - 1);
    EXPECT_FALSE(last.local_of(largest == size ? -1 : size));

    const LocalDimensionMap dealt(cyclic(size, {3, 1}, 1000));
    const Index at = dealt.owned_count() - 1;
    EXPECT_LT(dealt.global_of(at), size);
    EXPECT_EQ(dealt.local_of(dealt.global_of(at)), at);
    const auto run = dealt.run(dealt.run_count() - 1);
    EXPECT_EQ(run.local_start + run.count, dealt.owned_count());
    EXPECT_EQ(run.global_start + run.count - 1, dealt.global_of(at));
  }
  // Wrapped around: start + padding does not fit 64 bits, but the global index does.
  const LocalDimensionMap wrapped(
      block(largest, {2, 1}, {largest - 2, largest}, {{largest - 5, 3}, {}, true}));
  EXPECT_EQ(wrapped.global_of(wrapped.local_extent() - 1), 2);
  EXPECT_EQ(wrapped.global_of(0), 3);
}

/// All multi-indices of a shape; the last dimension varies fastest for C order.
std::vector<std::vector<Index>> multi_indices(const std::vector<Index>& shape, Order order) {
  std::vector<std::vector<Index>> all{{}};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t d = order == Order::c ? i : shape.size() - 1 - i;
    std::vector<std::vector<Index>> longer;
    for (const auto& prefix : all) {
      for (Index index = 0; index < shape[d]; ++index) {
        longer.push_back(prefix);
        longer.back().insert(order == Order::c ? longer.back().end() : longer.back().begin(),
                             index);
      }
    }
    all = std::move(longer);
  }
  return all;
}

void check_array(const Layout& layout) {
  std::vector<Index> global_shape;
  for (const Axis& axis : layout.axes) global_shape.push_back(axis.size);
  const auto elements = multi_indices(global_shape, Order::c);
  std::vector<int> owners(elements.size(), 0);
  for (int rank = 0; rank < layout.processes(); ++rank) {
    const LocalIndexMap map(layout.array(rank));
    ASSERT_EQ(map.owned_count(), layout.owned_count(rank));
    ASSERT_EQ(map.global_count(), static_cast<Index>(elements.size()));
    std::vector<Index> local_shape, owned_shape;
    for (int d = 0; d < map.ndim(); ++d) {
      local_shape.push_back(map.dimension(d).local_extent());
      owned_shape.push_back(map.dimension(d).owned_count());
    }
    for (const Order order : {Order::c, Order::fortran}) {
      std::vector<Index> expected;
      for (const auto& local : multi_indices(local_shape, order)) {
        const auto global = map.global_of(local);
        const auto at = std::find(elements.begin(), elements.end(), global);
        ASSERT_NE(at, elements.end());
        expected.push_back(at - elements.begin());
        ASSERT_EQ(map.natural_of(global), expected.back());
        ASSERT_EQ(map.global_of_natural(expected.back()), global);
      }
      ASSERT_EQ(map.local_natural(order), expected);
      ASSERT_EQ(map.local_count(), static_cast<Index>(expected.size()));

      expected.clear();
      for (auto local : multi_indices(owned_shape, order)) {
        for (int d = 0; d < map.ndim(); ++d)
          local[static_cast<std::size_t>(d)] += map.dimension(d).owned_offset();
        const auto global = map.global_of(local);
        expected.push_back(map.natural_of(global));
        ASSERT_EQ(map.local_of(global), local);
      }
      ASSERT_EQ(map.owned_natural(order), expected);
    }
    for (std::size_t i = 0; i < elements.size(); ++i)
      owners[i] += map.local_of(elements[i]) ? 1 : 0;
  }
  EXPECT_EQ(owners, std::vector<int>(elements.size(), 1));
}

TEST(LocalIndexMap, WholeArrays) {
  const BlockPadding halo{{1, 1}, {}, false};
  const BlockPadding ring{{1, 2}, {}, true};
  const std::vector<Layout> layouts = {
      {{}, {}},
      {{even_axis(7, 3)}, {}},
      {{cyclic_axis(9, 2, 2, 1)}, {}},
      {{shuffled_axis(8, 3, 5)}, {}},
      {{even_axis(5, 2, halo), even_axis(6, 3, ring)}, {}},
      {{cyclic_axis(5, 2, 1), undistributed_axis(3)}, {}},
      {{block_axis({4, 0, 1}), cyclic_axis(4, 2, 3)}, {}},
      {{even_axis(2, 3), even_axis(4, 2)}, {}},
      {{undistributed_axis(0), even_axis(4, 2)}, {}},
      {{undistributed_axis(2), shuffled_axis(5, 2, 1), even_axis(3, 2, ring)}, {}},
      {{even_axis(3, 2), cyclic_axis(3, 2, 1, 1), undistributed_axis(2), block_axis({1, 2}, halo),
        undistributed_axis(1)},
       {}},
  };
  for (const Layout& layout : layouts) {
    check_array(layout);
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(LocalIndexMap, ZeroDimensions) {
  const LocalIndexMap map(std::vector<Dimension>{});
  EXPECT_EQ(map.ndim(), 0);
  EXPECT_EQ(map.owned_count(), 1);
  EXPECT_EQ(map.local_count(), 1);
  EXPECT_EQ(map.global_count(), 1);
  EXPECT_EQ(map.natural_of({}), 0);
  EXPECT_EQ(map.owned_natural(), std::vector<Index>{0});
  EXPECT_EQ(map.global_of_natural(0), std::vector<Index>{});
  EXPECT_THROW(map.global_of_natural(1), InvalidArgument);
}

TEST(LocalIndexMap, UnstructuredIndicesOutsideTheSizeKeepTheirPlaceInTheNumbering) {
  const LocalIndexMap line({unstructured(3, {1, 0}, IndexList({-2, 9, 1}))});
  EXPECT_EQ(line.owned_natural(), (std::vector<Index>{-2, 9, 1}));
  const LocalIndexMap table({unstructured(3, {1, 0}, IndexList({-2, 9})), undistributed(4)});
  EXPECT_EQ(table.natural_of({-2, 3}), -5);
  EXPECT_EQ(table.global_of_natural(-5), (std::vector<Index>{-2, 3}));
  EXPECT_EQ(table.owned_natural(), (std::vector<Index>{-8, -7, -6, -5, 36, 37, 38, 39}));
  // In a faster dimension, their numbers would be those of other elements.
  const LocalIndexMap mixed({undistributed(4), unstructured(3, {1, 0}, IndexList({-2, 9}))});
  EXPECT_THROW(mixed.owned_natural(), InvalidArgument);
}

TEST(LocalIndexMap, WrongArguments) {
  const LocalIndexMap map({block(4, {2, 1}), undistributed(3)});
  EXPECT_THROW(map.global_of({0}), InvalidArgument);
  EXPECT_THROW(map.global_of({2, 0}), InvalidArgument);
  EXPECT_THROW(map.local_of({0, 0, 0}), InvalidArgument);
  EXPECT_THROW(map.natural_of({4, 0}), InvalidArgument);
  EXPECT_THROW(map.natural_of({0, -1}), InvalidArgument);
  EXPECT_THROW(map.global_of_natural(12), InvalidArgument);
  EXPECT_THROW(map.global_of_natural(-1), InvalidArgument);
  EXPECT_THROW(map.dimension(2), std::out_of_range);
}

TEST(LocalIndexMap, CountsBeyond64BitsAreErrors) {
  const Index huge = Index{1} << 32;
  EXPECT_EQ(rule_of([&] { LocalIndexMap({undistributed(huge), undistributed(huge)}); }), "T10");
  // Each section fits 64 bits, the array does not.
  const LocalIndexMap map({block(huge, {2, 0}), block(huge, {2, 0})});
  EXPECT_EQ(map.owned_count(), Index{1} << 62);
  EXPECT_EQ(rule_of([&] { map.global_count(); }), "D09");
  EXPECT_EQ(rule_of([&] { map.natural_of({0, 0}); }), "D09");
  EXPECT_EQ(rule_of([&] { map.owned_natural(); }), "D09");
  // A dimension of size zero makes any product zero.
  const LocalIndexMap none({undistributed(huge), undistributed(0), undistributed(huge)});
  EXPECT_EQ(none.global_count(), 0);
  EXPECT_EQ(none.owned_natural(), std::vector<Index>{});
  // The last element to which 64 bits can give a number.
  const LocalIndexMap full({block(largest / 7, {2, 1}), undistributed(7)});
  EXPECT_EQ(full.natural_of({largest / 7 - 1, 6}), largest / 7 * 7 - 1);
  // Outside of the array, beyond 64 bits.
  const LocalIndexMap far({unstructured(3, {1, 0}, IndexList({largest})), undistributed(4)});
  EXPECT_EQ(rule_of([&] { far.owned_natural(); }), "D09");
}

}  // namespace
