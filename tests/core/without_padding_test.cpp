// SPDX-License-Identifier: BSD-3-Clause
// The elements without padding as an array of their own.

#include "daptor/without_padding.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "daptor/builders.hpp"
#include "daptor/local_index_map.hpp"
#include "daptor/simulated.hpp"
#include "daptor/validate.hpp"
#include "global_map_checks.hpp"
#include "simulated_faults.hpp"

namespace daptor {
namespace {

/// Rows of doubles, each its own number in memory.
DistArray on_memory(std::vector<Dimension> dimensions, const Comm& comm) {
  const DistArray array = allocate<double>(std::move(dimensions)).on(comm);
  auto* const values = static_cast<double*>(array.mutable_data());
  for (Index i = 0; i < array.local_count(); ++i) values[i] = static_cast<double>(i);
  return array;
}

TEST(WithoutPadding, HasTheSizeOfTheInteriorOnTheSameMemory) {
  run_simulated(4, [](const Comm& comm) {
    const GridPosition rows{4, comm.rank()};
    // The third row of the grid has no cells, and the last one has ghost cells alone.
    const std::vector<IndexRange> bounds{{0, 3}, {3, 5}, {5, 5}, {5, 5}};
    const IndexRange mine = bounds[static_cast<std::size_t>(comm.rank())];
    const DistArray a = on_memory({block(5, rows, mine, BlockPadding::ghosts({2, 1})),
                                   block(6, {1, 0}, BlockPadding::ghosts({1, 1}, true))},
                                  comm);
    ASSERT_EQ(a.global_shape(), (std::vector<Index>{8, 6}));
    const DistArray inside = without_padding(a);
    EXPECT_EQ(inside.global_shape(), (std::vector<Index>{5, 6}));
    EXPECT_EQ(inside.local_shape(), a.interior_shape());
    EXPECT_EQ(inside.owned_shape(), inside.local_shape());
    EXPECT_EQ(inside.byte_strides(), a.byte_strides());
    EXPECT_EQ(inside.buffer().state(), a.buffer().state());
    EXPECT_TRUE(inside.dimension(1).periodic());
    if (inside.local_count() > 0) {
      EXPECT_EQ(inside.data(), a.interior_data());
    }
    EXPECT_EQ(inside.dimension(0).as<Block>()->owned, mine);
    EXPECT_TRUE(validate(inside)) << validate(inside);
    EXPECT_TRUE(without_padding(a.as_readonly()).readonly());
    EXPECT_EQ(without_padding(inside), inside);
  });
}

TEST(WithoutPadding, KeepsTheOwnedElementsOfLists) {
  run_simulated(2, [](const Comm& comm) {
    const GridPosition line{2, comm.rank()};
    const std::vector<Index> front =
        comm.rank() == 0 ? std::vector<Index>{2, 0, 1, 3} : std::vector<Index>{0, 3, 4, 5};
    const DistArray a = on_memory({unstructured(6, line, IndexList(front), OwnedPart::run({1, 4})),
                                   block(2, {1, 0}, BlockPadding({}, {}, false))},
                                  comm);
    const std::vector<Index> apart =
        comm.rank() == 0 ? std::vector<Index>{0, 5, 1, 2} : std::vector<Index>{3, 4, 5, 0};
    const DistArray b =
        on_memory({unstructured(6, line, IndexList(apart),
                                comm.rank() == 0 ? OwnedPart::at({0, 2, 3}) : OwnedPart(3)),
                   block(4, {1, 0}, BlockPadding({}, {1, 1}))},
                  comm);
    const DistArray inside = without_padding(b);
    EXPECT_EQ(inside.global_shape(), (std::vector<Index>{6, 2}));
    EXPECT_EQ(inside.local_shape(), (std::vector<Index>{comm.rank() == 0 ? 4 : 3, 2}));
    EXPECT_EQ(inside.owned_shape(), (std::vector<Index>{3, 2}));
    EXPECT_EQ(inside.owned_apart(), comm.rank() == 0);
    EXPECT_TRUE(validate(inside)) << validate(inside);
    const DistArray trimmed = without_padding(a);
    EXPECT_EQ(trimmed.local_shape(), (std::vector<Index>{3, 2}));
    EXPECT_EQ(LocalIndexMap(trimmed).dimension(0).global_of(0), comm.rank() == 0 ? 0 : 3);
    EXPECT_EQ(*static_cast<const double*>(trimmed.data()), 2.0);
  });
}

TEST(WithoutPadding, TellsAllRanksWhatIsWrong) {
  run_simulated(3, [](const Comm& comm) {
    const DistArray none = Section().on(comm);
    const DistArray some = comm.rank() == 1 ? none : on_memory({block(9, {3, comm.rank()})}, comm);
    test::expect_rule(comm, "array.empty", [&] { without_padding(some); });
  });
}

TEST(WithoutPadding, FailsOnAllRanksAlike) {
  test::SimulatedFaults::expect_agreed(3, [](const Comm& comm) {
    const DistArray a = on_memory({block(7, {3, comm.rank()}, BlockPadding::ghosts({1, 1}))}, comm);
    return test::FaultyCall{
        [a] { without_padding(a); },
        [a] { EXPECT_EQ(without_padding(a).global_shape(), std::vector<Index>{7}); }};
  });
}

}  // namespace
}  // namespace daptor
