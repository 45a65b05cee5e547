// SPDX-License-Identifier: BSD-3-Clause
// What adapters share: reasons, checks that memory is still what was described and that values are
// the same on all ranks, products that may overflow, failures of another library.

#include <daptor/adapter/block_cyclic.hpp>
#include <daptor/adapter/communicator.hpp>
#include <daptor/adapter/extents.hpp>
#include <daptor/adapter/first_failure.hpp>
#include <daptor/adapter/form.hpp>
#include <daptor/adapter/library.hpp>
#include <daptor/adapter/memory.hpp>
#include <daptor/adapter/reason.hpp>
#include <daptor/daptor.hpp>

#include <pthread.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "everywhere.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

constexpr Index largest = std::numeric_limits<Index>::max();

TEST(AdapterBlockCyclic, OneBlockForEachProcess) {
  EXPECT_EQ(adapter::one_block_each(10, 3), 4);
  EXPECT_EQ(adapter::one_block_each(5, 4), 2);
  EXPECT_EQ(adapter::one_block_each(0, 3), 1);
  EXPECT_EQ(adapter::one_block_each(largest, 1), largest);
}

TEST(AdapterBlockCyclic, OfEachKindOfDimension) {
  const auto expect = [](const Dimension& dimension, Index length, std::optional<Index> source) {
    const auto found = adapter::as_block_cyclic(dimension);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->size, dimension.global_size());
    EXPECT_EQ(found->block, length);
    EXPECT_EQ(found->grid, dimension.grid());
    EXPECT_EQ(found->source, source);
  };
  expect(undistributed(7), 7, 0);
  expect(undistributed(0), 1, 0);
  // 10 on 3: 4, 4, 2. Even blocks are 4, 3, 3.
  expect(block(10, {3, 1}, {4, 8}), 4, 0);
  expect(block(10, {3, 2}, {8, 10}), 4, 0);
  EXPECT_FALSE(adapter::as_block_cyclic(block(10, {3, 1})));
  expect(block(5, {4, 3}, {5, 5}), 2, 0);  // nothing is left for the last one
  expect(cyclic(23, {3, 0}, 2, 1), 2, 1);
  expect(cyclic(23, {3, 2}, 2, 1), 2, 1);
  expect(cyclic(2, {3, 1}, 2), 2, std::nullopt);  // without an element: it does not know
  EXPECT_FALSE(
      adapter::as_block_cyclic(unstructured(4, {1, 0}, IndexList(std::vector<Index>{3, 1}))));
}

TEST(AdapterBlockCyclic, SaysPlacesAndWhatIsTooLarge) {
  EXPECT_EQ(adapter::place_text({2, 1}, {3, 0}), "(1, 0) of 2 x 3");
  adapter::Form form;
  form.id = "tile";
  form.largest = std::numeric_limits<std::int32_t>::max();
  form.largest_name = "as the library counts in 32 bits";
  adapter::Reasons reasons;
  adapter::count_reason(form, "a size", 2147483647, reasons);
  EXPECT_TRUE(reasons.empty());
  adapter::count_reason(form, "a size", 2147483648, reasons, 1);
  adapter::count_reason(form, "a count", largest, reasons);
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_EQ(reasons[0].rule, "tile.index-range");
  EXPECT_EQ(reasons[0].found, "a size of 2147483648");
  EXPECT_EQ(reasons[0].dimension, 1);
  EXPECT_EQ(reasons[1].dimension, -1);
}

TEST(AdapterReason, HasItsFields) {
  const Finding whole = adapter::reason("tile.order", "found", "expected", "Do this.");
  EXPECT_EQ(whole.rule, "tile.order");
  EXPECT_EQ(whole.severity, Severity::error);
  EXPECT_EQ(whole.dimension, -1);
  EXPECT_EQ(whole.found, "found");
  EXPECT_EQ(whole.expected, "expected");
  EXPECT_EQ(whole.remedy, "Do this.");
  EXPECT_EQ(adapter::reason("tile.order", 0, "found", "expected").dimension, 0);
  EXPECT_EQ(adapter::reason("tile.order", 2, "found", "expected", "Do this.").remedy, "Do this.");
}

TEST(AdapterReason, NoneIsNoError) {
  EXPECT_NO_THROW(adapter::require_none({}));
  try {
    adapter::require_none(
        {adapter::reason("tile.first", "a", "b"), adapter::reason("tile.second", "c", "d")});
    FAIL() << "nothing thrown";
  } catch (const NotRepresentable& error) {
    EXPECT_EQ(error.rule(), "tile.first");
    EXPECT_TRUE(error.report().has("tile.second"));
  }
  try {
    adapter::refuse_argument("tile.options", "a", "b", "Do this.");
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.rule(), "tile.options");
    EXPECT_EQ(error.finding().remedy, "Do this.");
  }
}

/// Memory that its producer may move.
class Moving final : public Producer {
 public:
  explicit Moving(std::vector<double>& memory) : now(memory.data()) {}
  void* begin_access(Access, void*) override {
    ++opened;
    return now;
  }
  void end_access(Access) noexcept override { --opened; }
  void* now;
  int opened = 0;
};

TEST(AdapterMemory, IsStillWhatWasDescribed) {
  std::vector<double> memory(4);
  auto owned = std::make_unique<Moving>(memory);
  Moving* const producer = owned.get();
  Buffer buffer(DataType::of<double>(), {4}, {8}, memory.data(), false,
                std::make_shared<SharedState>(std::move(owned)));
  const Section array(protocol_0_9, std::move(buffer), {undistributed(4)});
  EXPECT_NO_THROW(adapter::require_memory(array));
  EXPECT_EQ(producer->opened, 0);
  producer->now = memory.data() + 1;
  expect_refused("stale", [&] { adapter::require_memory(array); });
  expect_refused("stale", [&] { adapter::require_same_memory(array); });
  EXPECT_EQ(producer->opened, 0) << "given back on every path";
  const Section none = describe(DataType::of<double>(), nullptr, {undistributed(4)});
  expect_refused("argument", [&] { adapter::require_memory(none); });
}

TEST(AdapterMemory, OwnedElementsArePartedByThePaddingOfAllButTheSlowestDimension) {
  const Dimension padded = block(8, {1, 0}, {0, 8}, BlockPadding{{1, 1}, {}, true}),
                  plain = block(8, {1, 0});
  static double memory[400];
  const auto parting = [&](const std::vector<Dimension>& dimensions, Order order, Index gap = 1) {
    std::vector<Index> shape;
    for (const Dimension& dimension : dimensions) shape.push_back(dimension.local_extent());
    auto strides = contiguous_strides(shape, sizeof(double), order);
    for (Index& stride : strides) stride *= gap;
    return adapter::parting_dimension(describe(memory, dimensions, strides));
  };
  EXPECT_EQ(parting({padded, plain}, Order::c), -1);
  EXPECT_EQ(parting({padded, plain}, Order::fortran), 0);
  EXPECT_EQ(parting({padded, padded}, Order::c), 1);
  EXPECT_EQ(parting({padded, padded}, Order::fortran), 0);
  EXPECT_EQ(parting({undistributed(1), padded}, Order::c), -1);
  EXPECT_EQ(parting({plain, padded}, Order::c, 2), -1);
}

TEST(AdapterExtents, OverflowAndZero) {
  using Factors = std::vector<Index>;
  EXPECT_EQ(adapter::product(Factors{}), Index{1});
  EXPECT_EQ(adapter::product(Factors{3, 4, 5}), Index{60});
  EXPECT_EQ(adapter::product(Factors{3, 4, 5}, 1), Index{20});
  EXPECT_EQ(adapter::product(Factors{largest, 2}), std::nullopt);
  EXPECT_EQ(adapter::product(Factors{largest, 2, 0}), Index{0});
  EXPECT_EQ(adapter::product(Factors{0, largest, 2}), Index{0});
  EXPECT_EQ(adapter::product(Factors{largest, 1}), largest);
  EXPECT_EQ(adapter::global_count({undistributed(3), block(7, {2, 1})}), Index{21});
  EXPECT_EQ(adapter::global_count({undistributed(3), block(7, {2, 1})}, 1), Index{7});
  EXPECT_EQ(adapter::global_count({undistributed(largest), undistributed(3)}), std::nullopt);
}

TEST(AdapterLibrary, TranslatesWhatIsNotDaptors) {
  const auto run = [](auto&& body) { adapter::translated("tile", "tile_make", body); };
  try {
    run([] { throw std::runtime_error("no room"); });
    FAIL() << "nothing thrown";
  } catch (const LibraryFailed& error) {
    EXPECT_EQ(error.rule(), "library.tile");
    EXPECT_EQ(error.finding().key, "tile_make");
    EXPECT_NE(error.finding().found.str().find("no room"), std::string::npos);
  }
  expect_refused("library.tile", [&] { run([] { throw 3; }); });
  expect_refused("stale", [&] { run([] { throw Stale("here", "there"); }); });
  const int seven = adapter::translated("tile", "tile_count", [] { return 7; });
  EXPECT_EQ(seven, 7);
  const Comm alone(MPI_COMM_SELF);
  expect_refused("library.tile", [&] {
    Call(alone, "tile").library("tile", "tile_make", [] { throw std::runtime_error("no room"); });
  });
}

TEST(AdapterFirstFailure, IsKeptUntilAllAgree) {
  const Comm comm(MPI_COMM_WORLD);
  for (int odd = 0; odd < world_size(); ++odd) {
    adapter::FirstFailure failure;
    int done = 0;
    failure.attempt([&] { ++done; });
    failure.attempt([&] {
      if (world_rank() == odd) throw InvalidArgument("first", "a", "b");
    });
    failure.attempt([&] {
      ++done;
      throw InvalidArgument("second", "a", "b");
    });
    EXPECT_EQ(done, world_rank() == odd ? 1 : 2);
    EXPECT_TRUE(failure);
    expect_refused_everywhere("argument", [&] {
      Call(comm, "attempt").check([&] {
        if (failure) std::rethrow_exception(failure.get());
      });
    });
  }
  EXPECT_FALSE(adapter::FirstFailure());
}

TEST(AdapterFirstFailure, KeepsWhatIsNoStandardException) {
  adapter::FirstFailure failure;
  failure.attempt([] { throw 42; });
  EXPECT_TRUE(failure);
  EXPECT_THROW(std::rethrow_exception(adapter::FirstFailure(failure.get()).get()), int);
}

/// The forced end of a thread unwinds its stack, and would end the process if it were kept.
TEST(AdapterFirstFailure, LetsAThreadEnd) {
  pthread_t thread{};
  bool went_on = false;
  ASSERT_EQ(pthread_create(
                &thread, nullptr,
                [](void* answer) -> void* {
                  adapter::FirstFailure failure;
                  failure.attempt([] { pthread_exit(nullptr); });
                  *static_cast<bool*>(answer) = true;
                  return nullptr;
                },
                &went_on),
            0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  EXPECT_FALSE(went_on);
}

TEST(AdapterCommunicator, TheSameProcessesInTheSameOrder) {
  EXPECT_TRUE(adapter::same_processes(MPI_COMM_WORLD, MPI_COMM_WORLD));
  EXPECT_FALSE(adapter::same_processes(MPI_COMM_WORLD, MPI_COMM_NULL));
  const Comm comm(MPI_COMM_WORLD);
  comm->exclusive_sum(0);  // makes the duplicate
  ASSERT_NE(comm->mpi(), MPI_COMM_WORLD);
  EXPECT_TRUE(adapter::same_processes(comm->mpi(), MPI_COMM_WORLD));
  EXPECT_EQ(adapter::same_processes(MPI_COMM_WORLD, MPI_COMM_SELF), world_size() == 1);
  MPI_Comm turned = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &turned);
  EXPECT_EQ(adapter::same_processes(MPI_COMM_WORLD, turned), world_size() == 1);
  MPI_Comm_free(&turned);
}

}  // namespace
