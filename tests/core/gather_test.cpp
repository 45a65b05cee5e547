// SPDX-License-Identifier: BSD-3-Clause
// The whole array on one rank, or on all.

#include "daptor/gather.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <vector>

#include "daptor/block_dimensions.hpp"
#include "daptor/builders.hpp"
#include "daptor/lease.hpp"
#include "daptor/reductions.hpp"
#include "everywhere.hpp"
#include "layouts.hpp"

namespace daptor {
namespace {

using test::expect_refused_everywhere;
using test::Faults;
using test::world_rank;
using test::world_size;

/// An array of rows whose element at global indices (i, j) of the interior is 10 i + j, and 77 in
/// all padding.
template <class T>
DistArray numbered(std::vector<Dimension> dimensions, Index boundary, Order order) {
  const DistArray a = allocate<T>(std::move(dimensions), order).on(MPI_COMM_WORLD);
  const LocalIndexMap map(a);
  WriteLease lease(a);
  const auto u = lease.view<T, 2>();
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j) {
      u(i, j) = T(77);
      if (!map.dimension(0).is_owned(i)) continue;
      const Index row = map.dimension(0).global_of(i) - boundary;
      if (row >= 0 && row < a.global_shape()[0] - 2 * boundary)
        u(i, j) = static_cast<T>(static_cast<float>(10 * row + j));
    }
  return a;
}

template <class T>
void expect_whole(const Gathered<T>& whole, Index rows, bool here) {
  EXPECT_EQ(whole.shape(), (std::vector<Index>{rows, 3}));
  ASSERT_EQ(whole.size(), here ? 3 * rows : 0);
  if (!here) return;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < 3; ++j) {
      EXPECT_EQ(whole(i, j), static_cast<T>(static_cast<float>(10 * i + j)));
      EXPECT_EQ(whole[3 * i + j], whole(i, j));
    }
}

TEST(Gather, EveryLayoutWithoutItsPadding) {
  const GridPosition at{world_size(), world_rank()};
  const auto mixed = test::mixed_axis(11, world_size(), 4);
  const auto shared = [&] {  // all ranks have all rows
    std::vector<Index> all;
    for (Index i = 11; i-- > 0;) all.push_back(i);
    return unstructured(11, at, IndexList(all));
  };
  for (const Order order : {Order::c, Order::fortran})
    for (const Dimension& rows :
         {block(11, at), block(11, at, BlockPadding({1, 1})), cyclic(11, at, 2), mixed.make(at),
          shared(), block(11, at, BlockPadding::ghosts({2, 2})),
          block(11, at, IndexRange{0, at.last() ? 11 : 0})}) {
      const Index boundary = rows.global_size() == 15 ? 2 : 0;
      const auto a = numbered<double>({rows, undistributed(3)}, boundary, order).as_readonly();
      expect_whole(gather<double>(a, world_size() - 1), 11, at.last());
      expect_whole(gather_all<double>(a), 11, true);
      expect_whole(gather<std::complex<double>>(a), 11, at.first());
    }
  const auto small = numbered<std::int16_t>({block(5, at), undistributed(3)}, 0, Order::c);
  expect_whole(gather_all<std::int16_t>(small), 5, true);
  expect_whole(gather_all<float>(small), 5, true);
}

TEST(Gather, WhatIsWrongOnOneRankIsToldToAll) {
  const GridPosition at{world_size(), world_rank()};
  const auto a = numbered<double>({block(5, at), undistributed(3)}, 0, Order::c);
  for (const int root : {-1, world_size()})
    expect_refused_everywhere<InvalidArgument>("argument", [&] { gather<double>(a, root); });
  expect_refused_everywhere<InvalidArgument>("redistribute.type", [&] { gather<int>(a); });
  for (int victim = 0; victim < world_size(); ++victim) {
    const bool mine = world_rank() == victim;
    if (world_size() > 1)
      expect_refused_everywhere<InvalidArgument>("collective.different",
                                                 [&] { gather<double>(a, mine ? 1 : 0); });
    expect_refused_everywhere<InvalidArgument>(
        "lease.memory", [&] { gather<double>(mine ? a.with_memory(nullptr) : a); });
  }
}

TEST(Gather, FaultsAtEachPointAreToldToAll) {
  const GridPosition at{world_size(), world_rank()};
  const auto a =
      numbered<double>({block(5, at, BlockPadding::ghosts({1, 1})), undistributed(3)}, 1, Order::c);
  const auto shared = allocate<double>({unstructured(3, at, IndexList({0, 1, 2}))});
  Faults().expect_agreed([&] { gather_all<double>(a); });
  Faults().expect_agreed([&] { var(a); });
  Faults().expect_agreed([&] { argmax(shared.with_memory(shared.data()).on(MPI_COMM_WORLD)); });
}

TEST(Gather, ReductionsOverMpi) {
  const GridPosition at{world_size(), world_rank()};
  const auto a = numbered<double>({block(11, at), undistributed(3)}, 0, Order::c);
  EXPECT_EQ(sum(a), 10 * 55 * 3 + 3 * 11);
  EXPECT_EQ(argmax(a), (std::vector<Index>{10, 2}));
  EXPECT_EQ(max(a), 102);
}

}  // namespace
}  // namespace daptor
