// SPDX-License-Identifier: BSD-3-Clause
// Import of what is a Global Array, copies of what is none, and explain's verdict on both.

#include <algorithm>

#include <daptor/block_dimensions.hpp>
#include <daptor/builders.hpp>
#include <daptor/explain.hpp>
#include <daptor/halo_exchange.hpp>
#include <daptor/layout.hpp>
#include <daptor/redistribute.hpp>

#include "arrays.hpp"

namespace daptor::ga::test {
namespace {

DistArray filled(std::vector<Dimension> dimensions, const Numbers& shape,
                 Order order = Order::fortran) {
  DistArray array = allocate<double>(std::move(dimensions), order).on(world());
  array.defect().raise();
  for_each_owned(array, [&](const std::vector<Index>& local, const std::vector<Index>& global) {
    *element(array, local) = label(global, shape);
  });
  return array;
}

Numbers shape_of(const DistArray& array) {
  const std::vector<Index> shape = array.global_shape();
  return {shape.begin(), shape.end()};
}

/// Copies, and asks GA for the elements.
Array expect_copied(const DistArray& array) {
  Array copy = copy_to_array(array);
  expect_labels_in_ga(copy.handle(), shape_of(array));
  GA_Sync();
  return copy;
}

TEST(Import, I1_GivesTheHandleBack) {
  const OwnedGlobalArray a({9 * world_size(), 2});
  const OwnedGlobalArray b({9 * world_size(), 2});
  for (const OwnedGlobalArray* made : {&a, &b}) {
    const DistArray array = export_array(made->handle());
    ASSERT_TRUE(array.described());
    EXPECT_EQ(import_array(array), made->handle());
  }
  const DistArray of_a = export_array(a.handle());
  const DistArray of_b = export_array(b.handle());
  if (world_size() > 1)
    expect_refused_everywhere<NotRepresentable>(
        "ga.array.memory", [&] { import_array(world_rank() == 0 ? of_b : of_a); });
}

TEST(Import, I1_AnArrayAndOneOverItsMemory) {
  const OwnedGlobalArray parent({4 * world_size(), 3});
  const OwnedGlobalArray same({4 * world_size(), 3}, parent);
  const OwnedGlobalArray other({2 * world_size(), 3}, parent);
  // Whichever was exported first, and also where all addresses and layouts are the same.
  for (const OwnedGlobalArray* const each : {&other, &same, &parent}) export_array(each->handle());
  for (const OwnedGlobalArray* const each : {&parent, &same, &other}) {
    const DistArray array = export_array(each->handle());
    EXPECT_EQ(import_array(array), each->handle());
  }
  // A description of the parent's memory that is no export: the layout tells.
  const DistArray array = export_array(other.handle());
  const DistArray described =
      describe(static_cast<double*>(array.mutable_data()), array.dimensions(), Order::c)
          .on(world());
  EXPECT_EQ(import_array(described), other.handle());
}

TEST(Import, I1_WhereSomeRanksAreEmpty) {
  const OwnedGlobalArray made({2});
  const DistArray array = export_array(made.handle());
  ASSERT_TRUE(array.described());
  EXPECT_EQ(import_array(array), made.handle());
}

TEST(Import, I1_AnotherLayoutOnTheMemoryIsRefused) {
  const OwnedGlobalArray made({4 * world_size()});
  const DistArray array = export_array(made.handle());
  const DistArray other = describe(static_cast<double*>(array.mutable_data()),
                                   {block(2 * world_size(), line()), undistributed(2)})
                              .on(world());
  expect_refused_everywhere<NotRepresentable>("ga.array.layout", [&] { import_array(other); });
}

TEST(Import, ReadOnlyViewsAreRefused) {
  const OwnedGlobalArray made({4 * world_size()});
  const DistArray array = export_array(made.handle());
  const DistArray on_one = world_rank() == world_size() - 1 ? array.as_readonly() : array;
  for (const DistArray& view : {array.as_readonly(), on_one}) {
    expect_refused_everywhere<NotRepresentable>("ga.array.readonly", [&] { import_array(view); });
  }
  EXPECT_EQ(import_array(array), made.handle());
}

TEST(Import, FaultsOfOneRankAreErrorsOfAll) {
  const OwnedGlobalArray made({4 * world_size()});
  const DistArray array = export_array(made.handle());
  daptor::test::Faults().expect_agreed([&] { import_array(array.on(world())); });
}

TEST(Copy, I2_Blocks) {
  expect_copied(filled({block(23, line())}, {23}));
  expect_copied(filled({block(3, line())}, {3}));  // fewer indices than processes
  const Array copy = expect_copied(filled(block_dimensions({10, 7}, world()), {10, 7}));
  EXPECT_EQ(import_array(copy.array()), copy.handle());
  expect_copied(filled({undistributed(4), block(5 * world_size(), line())}, {4, 5 * world_size()}));
}

TEST(Copy, I2_BlocksKeepTheirBounds) {
  const Index size = 4 * world_size() + 3;
  const Index start = world_rank() == 0 ? 0 : 4 * world_rank() + 3;
  const DistArray array =
      filled({block(size, line(), {start, 4 * (world_rank() + 1) + 3})}, {static_cast<int>(size)});
  const Array copy = expect_copied(array);
  ASSERT_TRUE(copy.array().described());
  EXPECT_EQ(copy.array().owned_count(), array.owned_count());
}

TEST(Copy, I2_Cyclic) {
  expect_copied(filled({cyclic(23, line(), 2)}, {23}));
  const Numbers grid = square_grid(world_size());
  const int row = world_rank() / grid[1];
  const int column = world_rank() % grid[1];
  const Array copy = expect_copied(
      filled({cyclic(20, {grid[0], row}, 3), cyclic(16, {grid[1], column}, 2)}, {20, 16}));
  EXPECT_EQ(copy.array().dimension(1).as<Cyclic>()->block_size, 2);
  expect_copied(
      filled({cyclic(6 * world_size(), line(), 2), undistributed(9)}, {6 * world_size(), 9}));
}

TEST(Copy, I2_PeriodicPaddingBecomesGhostCells) {
  const Index size = 5 * world_size();
  const DistArray array =
      filled({block(size, line(), BlockPadding({2, 2}, {}, true)), undistributed(4)},
             {static_cast<int>(size), 4});
  const Array copy = expect_copied(array);
  EXPECT_NE(GA_Has_ghosts(copy.handle()), 0);
  update_padding(array);
  const DistArray& target = copy.array();
  ASSERT_EQ(target.local_shape(), array.local_shape());
  for_each_index(target.local_shape(), [&](const std::vector<Index>& local) {
    EXPECT_EQ(*element(target, local), *element(array, local));
  });
}

TEST(Copy, I4_OtherPaddingIsLeftOut) {
  const Index size = 5 * world_size();
  for (const BlockPadding& padding : {BlockPadding({1, 1}), BlockPadding({1, 2}, {}, true)}) {
    const DistArray array = filled({block(size, line(), padding)}, {static_cast<int>(size)});
    const Array copy = expect_copied(array);
    EXPECT_EQ(GA_Has_ghosts(copy.handle()), 0);
  }
}

// GA 5.8 ends the job where it is asked for these.
TEST(Copy, I4_NoGhostCellsWhereAProcessHasNoRoomForThem) {
  const auto expect_ghosts = [](bool ghosts, Index size, IndexRange owned, Index width) {
    SCOPED_TRACE(testing::Message() << size << " indices, width " << width);
    const DistArray array =
        filled({block(size, line(), owned, BlockPadding({width, width}, {}, true))},
               {static_cast<int>(size)});
    const Array copy = expect_copied(array);
    EXPECT_EQ(GA_Has_ghosts(copy.handle()) != 0, ghosts);
  };
  const Index ranks = world_size();
  const auto even = [](Index size) { return even_block(size, line()); };
  expect_ghosts(ranks <= 3, 3, even(3), 1);  // fewer indices than processes
  const IndexRange all_or_none = world_rank() == 0 ? IndexRange{0, 6} : IndexRange{6, 6};
  expect_ghosts(ranks == 1, 6, all_or_none, 1);
  expect_ghosts(ranks == 1, 5, even(5), 3);            // blocks narrower than the ghost cells
  expect_ghosts(true, 3 * ranks, even(3 * ranks), 3);  // exactly as wide
}

TEST(Copy, I5_WhatNoGlobalArrayIsDividedInto) {
  const auto refused = [](const char* rule, const Section& array) {
    expect_refused_everywhere<NotRepresentable>(rule, [&] { copy_to_array(array.on(world())); });
  };
  if (world_size() > 1)
    refused("ga.array.origin", allocate<double>({cyclic(8 * world_size(), line(), 2, 1)}));
  refused("ga.array.unstructured",
          allocate<double>({unstructured(world_size(), line(),
                                         IndexList(std::vector<Index>{world_rank()}), true)}));
  // What to do with a list depends on whether processes share its indices.
  const auto remedy = [](const std::vector<Index>& indices, Index size) {
    const DistArray list =
        allocate<double>({unstructured(size, line(), IndexList(indices))}).on(world());
    try {
      copy_to_array(list);
    } catch (const NotRepresentable& refusal) {
      return advice(refusal.finding()).str();
    }
    return std::string();
  };
  const bool shared =
      remedy({world_rank(), world_rank() + 1}, world_size() + 1).find("{false, true}") !=
      std::string::npos;
  EXPECT_EQ(shared, world_size() > 1);
  std::vector<Dimension> divided(8, undistributed(2));
  divided[0] = block(2 * world_size(), line());
  refused("ga.array.dimensions", allocate<double>(divided));
  refused("ga.array.extent", allocate<double>({block(0, line())}));
  refused("ga.array.type", allocate<short>({block(8, line())}));
  if (world_size() == 2) {
    // Uneven blocks of columns beside dealt rows.
    const IndexRange columns = world_rank() == 0 ? IndexRange{0, 1} : IndexRange{1, 9};
    refused("ga.array.mixed", allocate<double>({cyclic(8, {1, 0}, 2), block(9, line(), columns)}));
  }
}

TEST(Copy, I3_IsDestroyedWithItsOwnerUnlessReleased) {
  int handle = 0;
  {
    const Array copy = copy_to_array(filled({block(23, line())}, {23}));
    handle = copy.handle();
    EXPECT_NE(GA_Valid_handle(handle), 0);
  }
  EXPECT_EQ(GA_Valid_handle(handle), 0);
  {
    Array copy = copy_to_array(filled({block(23, line())}, {23}));
    handle = copy.release();
  }
  EXPECT_NE(GA_Valid_handle(handle), 0);
  GA_Destroy(handle);
  // Destroyed by the program, and the number given to another array.
  {
    const Array copy = copy_to_array(filled({block(23, line())}, {23}));
    GA_Destroy(copy.handle());
    const OwnedGlobalArray other({23});
    handle = other.handle();
    EXPECT_EQ(handle, copy.handle());
    Array moved = copy_to_array(filled({block(5, line())}, {5}));
    Array again = std::move(moved);
    EXPECT_NE(GA_Valid_handle(again.handle()), 0);
  }
}

TEST(Copy, I2_OnTheDefaultGroup) {
  const Halves halves;
  const int mine = halves.mine();
  MPI_Comm comm = GA_MPI_Comm_pgroup(mine);
  const GridPosition at{GA_Pgroup_nnodes(mine), GA_Pgroup_nodeid(mine)};
  GA_Pgroup_set_default(mine);
  const DistArray array = filled({block(10, at, BlockPadding({1, 1}, {}, true))}, {10}).on(comm);
  {
    const Array copy = copy_to_array(array);
    expect_labels_in_ga(copy.handle(), {10});
    EXPECT_EQ(GA_Has_ghosts(copy.handle()) != 0, !halves.in_second());
    GA_Pgroup_sync(mine);
  }
  if (halves.in_second())
    daptor::test::expect_refused<NotRepresentable>(
        "ga.array.group", [&] { copy_to_array(allocate<double>({cyclic(10, at, 2)}).on(comm)); });
  GA_Pgroup_set_default(GA_Pgroup_get_world());
}

TEST(Copy, OfADestroyedArrayIsStale) {
  DistArray array;
  {
    const OwnedGlobalArray made({4 * world_size(), 3});
    array = export_array(made.handle());
  }
  expect_refused_everywhere<Stale>("stale", [&] { copy_to_array(array); });
}

TEST(Copy, FaultsOfOneRankAreErrorsOfAll) {
  const DistArray array = filled({block(23, line())}, {23});
  daptor::test::Faults().expect_agreed([&] { copy_to_array(array); });
}

Assessment verdict_on(const DistArray& array) {
  register_targets();
  for (const Assessment& each : explain(array))
    if (each.target == "ga.array") return each;
  ADD_FAILURE() << "no target ga.array";
  return {};
}

TEST(Explain, RefusesWhatImportRefuses) {
  const OwnedGlobalArray a({4 * world_size(), 3});
  const OwnedGlobalArray b({4 * world_size(), 3});
  const DistArray of_a = export_array(a.handle());
  const DistArray of_b = export_array(b.handle());
  const DistArray mixed = world_rank() == 0 ? of_a : of_b;
  for (const DistArray& array : {mixed, allocate<double>({block(0, line())}).on(world())}) {
    const bool held = world_size() == 1 && array.local_count() > 0;
    const Assessment verdict = verdict_on(array);
    EXPECT_EQ(verdict.representable, held);
    if (held) continue;
    ASSERT_FALSE(verdict.reasons.empty());
    EXPECT_EQ(verdict.reasons.front().rule, "ga.array.memory");
    expect_refused_everywhere<NotRepresentable>("ga.array.memory", [&] { import_array(array); });
  }
}

TEST(Explain, I1_TheTargetGaArray) {
  const OwnedGlobalArray made({4 * world_size()});
  const Assessment yes = verdict_on(export_array(made.handle()));
  EXPECT_TRUE(yes.representable);
  EXPECT_EQ(yes.call, "daptor::ga::import_array");
  const Assessment reading = verdict_on(export_array(made.handle()).as_readonly());
  ASSERT_FALSE(reading.reasons.empty());
  EXPECT_EQ(reading.reasons.front().rule, "ga.array.readonly");
  const Assessment no = verdict_on(filled({block(23, line())}, {23}));
  EXPECT_FALSE(no.representable);
  ASSERT_FALSE(no.reasons.empty());
  EXPECT_EQ(no.reasons.front().rule, "ga.array.memory");
  EXPECT_EQ(no.copy.text, "daptor::ga::copy_to_array(a)");
  EXPECT_EQ(no.bytes_to_move, 0);
  const Section list = allocate<double>(
      {unstructured(world_size(), line(), IndexList(std::vector<Index>{world_rank()}), true)});
  EXPECT_TRUE(verdict_on(list.on(world())).copy.text.empty());
}

}  // namespace
}  // namespace daptor::ga::test
