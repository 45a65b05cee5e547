// SPDX-License-Identifier: BSD-3-Clause
// Ranks of a node have the elements of a halo exchange in pages that they share. Runs with
// DAPTOR_NODE=direct.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <daptor/daptor.hpp>

#include "exchange/node.hpp"
#include "forbidden.hpp"

namespace {

using namespace daptor;

int longest = 0;

}  // namespace

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm comm, MPI_Request* request) {
  int size = 0;
  MPI_Type_size(type, &size);
  longest = std::max(longest, count * size);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

namespace {

constexpr int letter = sizeof(detail::Letter);

class HaloNode : public ::testing::Test {
 protected:
  const int rank = Comm(MPI_COMM_WORLD).rank();
  const int ranks = Comm(MPI_COMM_WORLD).size();

  /// Lists of which each rank but the first has ghosts of the rank before it.
  DistArray chain(Index owned = 50, Index ghosts = 40, Order order = Order::c) const {
    std::vector<Index> list;
    for (Index i = 0; rank > 0 && i < ghosts; ++i) list.push_back((rank - 1) * owned + i);
    return allocate<double>({block_then_ghosts(owned * ranks, GridPosition{ranks, rank}, list),
                             undistributed(5)},
                            order)
        .on(MPI_COMM_WORLD);
  }
  static double* first(const DistArray& a) { return static_cast<double*>(a.mutable_data()); }
  static void fill(const DistArray& a, double value) {
    std::fill_n(first(a), a.local_count(), value);
  }
  /// How many of the ghosts of a chain differ.
  int wrong(const DistArray& a, double value, Index owned = 50) const {
    int different = 0;
    for (Index i = owned; i < a.local_shape()[0]; ++i)
      for (Index j = 0; j < a.local_shape()[1]; ++j)
        different +=
            first(a)[(i * a.byte_strides()[0] + j * a.byte_strides()[1]) / 8] == value ? 0 : 1;
    return different;
  }
};

/// Faces of every kind, against the same by messages.
TEST_F(HaloNode, InPlaceOfMessages) {
  const GridPosition grid{ranks, rank};
  const BlockPadding ring({2, 1}, {}, true);
  const auto check = [&](const DataType& type, const std::vector<Dimension>& dimensions,
                         Order order, bool pages = true) {
    const auto make = [&] { return allocate(type, dimensions, order).on(MPI_COMM_WORLD); };
    const std::vector<DistArray> ours{make(), make()}, theirs{make(), make()};
    HaloExchange halo(ours);
    HaloOptions messages;
    messages.within_node = WithinNode::messages;
    HaloExchange by_messages(theirs, messages);
    const std::size_t bytes = static_cast<std::size_t>(ours[0].local_count()) * type.itemsize();
    for (int times = 0; times < 3; ++times) {
      for (std::size_t k = 0; k < 2; ++k)
        for (const DistArray& a : {ours[k], theirs[k]})
          for (std::size_t i = 0; i < bytes; ++i)
            static_cast<unsigned char*>(a.mutable_data())[i] = static_cast<unsigned char>(
                (i * 7 + k + static_cast<std::size_t>(rank + times)) % 61);
      longest = 0;
      halo.update();
      halo.accumulate(Combine::max);
      EXPECT_EQ(longest <= letter, pages);
      by_messages.update();
      by_messages.accumulate(Combine::max);
      for (std::size_t k = 0; k < 2; ++k)
        EXPECT_TRUE(std::equal(static_cast<const char*>(ours[k].data()),
                               static_cast<const char*>(ours[k].data()) + bytes,
                               static_cast<const char*>(theirs[k].data())))
            << type.name() << ' ' << k;
    }
  };
  for (const Order order : {Order::c, Order::fortran}) {
    check(DataType::of<double>(), {block(40 * ranks, grid, ring), block(700, {1, 0}, ring)}, order);
    check(DataType::of<float>(), {block(700, {1, 0}), block(40 * ranks, grid, ring)}, order);
    // Of distant elements MPI packs some while it unpacks others.
    check(DataType::of<double>(), {block(150, {1, 0}), block(2000 * ranks, grid, ring)}, order,
          order == Order::fortran);
    check(DataType::of<std::int16_t>(),
          {block(190, {1, 0}), block(8 * ranks, grid, ring), undistributed(9)}, order);
  }
}

/// What is one run of memory, on both sides or where it is received, comes to its place.
TEST_F(HaloNode, RunsOfMemory) {
  for (const bool both : {true, false}) {
    const Index ghosts = both ? 40 : 1000;
    const bool strided = !both && rank % 2 == 0;
    const DistArray a = chain(1200, ghosts, strided ? Order::fortran : Order::c);
    HaloExchange halo(a);
    for (int times = 1; times < 4; ++times) {
      fill(a, 10 * times + rank);
      MPI_Barrier(MPI_COMM_WORLD);
      longest = 0;
      halo.update();
      EXPECT_EQ(wrong(a, 10 * times + rank - 1, 1200), 0);
      if (both) {
        EXPECT_EQ(longest, rank + 1 < ranks ? letter : 0);
      }
    }
  }
}

/// Neither `begin` nor `end` waits for the rank that reads: the sender may be any number of
/// exchanges ahead, as with messages of this size, and no value that has been sent is lost.
TEST_F(HaloNode, ReaderFarBehind) {
  const DistArray a = chain();
  HaloExchange halo(a);
  constexpr int exchanges = 9;
  for (int late = 1; late < ranks; ++late) {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 1; i <= exchanges; ++i) {
      fill(a, 100 * late + i);
      if (i == 1 && rank == late)
        MPI_Recv(nullptr, 0, MPI_BYTE, late - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      halo.begin();
      halo.end();
      EXPECT_EQ(wrong(a, 100 * late + i), 0);
    }
    if (rank == late - 1) MPI_Send(nullptr, 0, MPI_BYTE, late, 0, MPI_COMM_WORLD);
  }
}

/// A rank that is one exchange behind still gets its elements without a message.
TEST_F(HaloNode, ReaderOneBehind) {
  const DistArray a = chain();
  HaloExchange halo(a);
  const auto next = [&] {
    halo.end();
    halo.begin();
  };
  fill(a, 1);
  longest = 0;
  halo.begin();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) next();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank > 0) next();
  halo.end();
  EXPECT_LE(longest, letter);
}

/// The pages of an object that is gone are not used by another before they have been read.
TEST_F(HaloNode, ReaderBehindADestroyedObject) {
  const DistArray a = chain();
  const DistArray b = chain();
  auto early = std::make_unique<HaloExchange>(a);
  fill(a, 1);
  early->begin();
  if (rank == 0) {
    early->end();
    early.reset();
  }
  HaloExchange next(b);
  for (const double value : {2.0, 3.0}) {
    fill(b, value);
    next.update();
    EXPECT_EQ(wrong(b, value), 0);
  }
  if (rank > 0) {
    early->end();
    EXPECT_EQ(wrong(a, 1), 0);
  }
}

/// An object that ends with its exchange in flight takes what was sent to it: the others go on.
TEST_F(HaloNode, DestroyedInFlight) {
  for (const bool strided : {false, true}) {
    const DistArray a = chain(1200, 1000, strided && rank % 2 == 0 ? Order::fortran : Order::c);
    for (int times = 0; times < 3; ++times) {
      HaloExchange halo(a);
      fill(a, 7);
      halo.begin();
    }
    EXPECT_EQ(wrong(a, 7, 1200), 0);
  }
}

/// There are more objects than pages for them: those go by messages.
TEST_F(HaloNode, MoreThanPages) {
  constexpr Index owned = 7000, ghosts = 6000;  // 240 KB
  std::vector<HaloExchange> halos;
  std::vector<DistArray> arrays;
  for (int i = 0; i < 80; ++i) {
    arrays.push_back(chain(owned, ghosts, Order::fortran));
    halos.emplace_back(arrays.back());
  }
  for (double value = 1; value < 4; ++value) {
    longest = 0;
    for (std::size_t i = 0; i < halos.size(); ++i) {
      fill(arrays[i], value);
      halos[i].update();
    }
    if (rank + 1 < ranks) {
      EXPECT_GT(longest, letter);
    }
    for (const DistArray& a : arrays) EXPECT_EQ(wrong(a, value, owned), 0);
  }
}

/// Ranks on two nodes, as a test says.
TEST_F(HaloNode, MessagesBetweenNodes) {
  detail::set_node_color([](int which) { return which / 2; });
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  {
    const DistArray a = chain().on(comm);
    HaloExchange halo(a);
    detail::set_node_color(nullptr);
    for (int times = 1; times < 4; ++times) {
      fill(a, times);
      MPI_Barrier(MPI_COMM_WORLD);
      longest = 0;
      halo.update();
      EXPECT_EQ(wrong(a, times), 0);
      const int sent = rank % 2 == 0 ? letter : 40 * 5 * 8;
      EXPECT_EQ(longest, rank + 1 < ranks ? sent : 0);
    }
  }
  MPI_Comm_free(&comm);
}

/// The last test of the program, which cannot take back what it forbids.
TEST_F(HaloNode, WithoutPermission) {
  if (rank == 0) {
    ASSERT_TRUE(test::forbid(__NR_memfd_create));
  }
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  {
    const DistArray a = chain().on(comm);
    HaloExchange halo(a);
    fill(a, 4);
    longest = 0;
    halo.update();
    EXPECT_EQ(wrong(a, 4), 0);
    if (rank + 1 < ranks) {
      EXPECT_GT(longest, letter);
    }
  }
  MPI_Comm_free(&comm);
}

}  // namespace
