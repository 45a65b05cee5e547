// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "daptor/daptor.hpp"

namespace daptor {
namespace {

template <class F>
std::string refusal(const F& call) {
  try {
    call();
  } catch (const NotRepresentable& error) {
    return error.rule();
  }
  return "nothing";
}

/// The elements of an array, in the order of its memory, must be those at its global numbers.
void expect_flat(const Section& array, Order order) {
  const Section flat = flatten(array);
  ASSERT_EQ(flat.ndim(), 1);
  EXPECT_EQ(flat.data(), array.data());
  EXPECT_EQ(flat.type(), array.type());
  EXPECT_EQ(flat.buffer().state(), array.buffer().state());
  ASSERT_EQ(flat.local_count(), array.local_count());

  Index size = 1;
  for (const Index extent : array.global_shape()) size *= extent;
  EXPECT_EQ(flat.dimension(0).global_size(), size);
  const LocalIndexMap whole(array), line(flat);
  for (Index at = 0; at < array.local_count(); ++at) {
    // The local multi-index of the element at place `at` in memory.
    std::vector<Index> local(static_cast<std::size_t>(array.ndim()));
    Index rest = at;
    for (int k = 0; k < array.ndim(); ++k) {
      const auto d = static_cast<std::size_t>(order == Order::c ? array.ndim() - 1 - k : k);
      local[d] = rest % array.local_shape()[d];
      rest /= array.local_shape()[d];
    }
    const std::vector<Index> global = whole.global_of(local);
    Index number = 0;
    for (int k = 0; k < array.ndim(); ++k) {
      const auto d = static_cast<std::size_t>(order == Order::c ? k : array.ndim() - 1 - k);
      number = number * array.global_shape()[d] + global[d];
    }
    EXPECT_EQ(line.global_of({at}), std::vector<Index>{number});
  }

  const Section back = unflatten(flat, array);
  EXPECT_TRUE(back.same_layout(array));
  EXPECT_EQ(back.data(), array.data());
}

TEST(Flatten, RowsInCOrderAndColumnsInFortranOrder) {
  for (Index processes = 1; processes <= 4; ++processes)
    for (Index rank = 0; rank < processes; ++rank) {
      const GridPosition at{processes, rank};
      expect_flat(allocate<double>({block(7, at), undistributed(3), block(2, {1, 0})}), Order::c);
      expect_flat(allocate<float>({undistributed(3), block(7, at)}, Order::fortran),
                  Order::fortran);
      expect_flat(allocate<int>({block(2, at), undistributed(5)}), Order::c);  // empty sections
    }
}

TEST(Flatten, ArraysThatAreFlatAlready) {
  const Section line = allocate<double>({cyclic(9, {2, 1}, 2)});
  EXPECT_EQ(flatten(line).data(), line.data());
  EXPECT_EQ(flatten(line).dimensions(), line.dimensions());
  const Section point = allocate<double>({});
  EXPECT_EQ(flatten(point).dimension(0).global_size(), 1);
  EXPECT_EQ(unflatten(flatten(point), point).ndim(), 0);
}

TEST(Flatten, RefusesWhatDoesNotLieInThatOrder) {
  EXPECT_EQ(refusal([] {
              flatten(allocate<double>({undistributed(3), block(7, {2, 0})}));
            }),
            "flatten.distribution");
  EXPECT_EQ(refusal([] {
              flatten(allocate<double>({cyclic(6, {2, 0}), undistributed(3)}));
            }),
            "flatten.distribution");
  std::vector<double> memory(100);
  EXPECT_EQ(refusal([&] {
              flatten(describe(memory.data(), {block(8, {2, 0}), undistributed(3)},
                               std::vector<Index>{80, 8}));
            }),
            "flatten.order");
  EXPECT_EQ(refusal([] {
              flatten(allocate<double>(
                  {block(8, {2, 0}, {0, 4}, BlockPadding{{0, 1}, {}}), undistributed(3)}));
            }),
            "flatten.order");
}

TEST(Flatten, BackNeedsAsManyElementsOfTheSameType) {
  const Section like = allocate<double>({block(4, {2, 0}), undistributed(3)});
  EXPECT_THROW(unflatten(allocate<double>({block(14, {2, 0})}), like), InvalidArgument);
  EXPECT_THROW(unflatten(allocate<float>({block(12, {2, 0})}), like), InvalidArgument);
  EXPECT_THROW(unflatten(like, like), InvalidArgument);
  const Section padded =
      allocate<double>({block(8, {2, 0}, {0, 4}, BlockPadding{{0, 1}, {}}), undistributed(3)});
  EXPECT_THROW(unflatten(allocate<double>({block(30, {2, 0})}), padded), InvalidArgument);
}

TEST(Flatten, BackNeedsAnArrayOfTheSameSize) {
  const Section like = allocate<double>({block(4, {2, 0}), undistributed(3)});
  EXPECT_THROW(unflatten(allocate<double>({undistributed(6)}), like), InvalidArgument);
  EXPECT_THROW(unflatten(allocate<double>({block(18, {3, 0})}), like), InvalidArgument);
  // Blocks along both dimensions have no flat order; PETSc numbers them one after the other.
  const Section tile = allocate<double>({block(4, {2, 1}), block(6, {2, 0})});
  EXPECT_TRUE(unflatten(allocate<double>({block(24, {4, 2})}), tile).same_layout(tile));
}

TEST(Flatten, BackOnADevice) {
  const MemorySpace device{MemorySpace::cuda, 1};
  const Section host = allocate<double>({block(4, {2, 0}), undistributed(3)});
  EXPECT_EQ(unflatten(flatten(host.in_space(device)), host).buffer().space(), device);
  EXPECT_TRUE(unflatten(flatten(host), host.in_space(device)).buffer().space().host());
}

TEST(Flatten, ReadOnlyStaysSo) {
  const double memory[6] = {};
  const Section array = describe(memory, {block(4, {2, 0}), undistributed(3)});
  EXPECT_TRUE(flatten(array).buffer().readonly());
  EXPECT_TRUE(unflatten(flatten(array), array).buffer().readonly());
}

}  // namespace
}  // namespace daptor
