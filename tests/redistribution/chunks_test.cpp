// SPDX-License-Identifier: BSD-3-Clause
// How a redistribution divides its messages, with limits far below the usual ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>

#include "daptor/adapter/communicator.hpp"
#include "daptor/simulated.hpp"
#include "effort.hpp"
#include "everywhere.hpp"
#include "exchange/chunked_transfer.hpp"
#include "exchange/redistribution/plan_redistribution.hpp"
#include "exchange/redistribution/sides.hpp"
#include "exchange/redistribution/state.hpp"
#include "exchange/split.hpp"
#include "held.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;
using namespace daptor::detail;

std::size_t messages = 0;
std::size_t longest = 0;
std::size_t elsewhere = 0;  // messages from memory other than the watched array's
const std::byte* watched = nullptr;
std::size_t watched_bytes = 0;

}  // namespace

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm comm, MPI_Request* request) {
  int size = 0;
  MPI_Type_size(type, &size);
  const auto bytes = static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
  ++messages;
  longest = std::max(longest, bytes);
  const auto* start = static_cast<const std::byte*>(data);
  if (start < watched || start + bytes > watched + watched_bytes) ++elsewhere;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

std::size_t received_elsewhere = 0;  // into memory other than the watched target's
const std::byte* watched_target = nullptr;
std::size_t watched_target_bytes = 0;

extern "C" int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  int size = 0;
  MPI_Type_size(type, &size);
  const auto* start = static_cast<const std::byte*>(data);
  const auto bytes = static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
  if (start < watched_target || start + bytes > watched_target + watched_target_bytes)
    ++received_elsewhere;
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

namespace {

class Chunks : public ::testing::Test {
 protected:
  const Comm comm = MPI_COMM_WORLD;
  const int rank = comm.rank();
  const Index ranks = comm.size();

  /// Copies in chunks of that many bytes; returns what was received.
  std::size_t move(Held<double>& source, Held<double>& target, std::size_t chunk_bytes) {
    Call call(comm, "chunks");
    const Sides sides =
        prepared_sides(ArrayList(source.array()), ArrayList(target.array()), call, {}, true);
    const auto plan = plan_redistribution(sides, {}, call);
    ChunkedTransfer transfer(plan.sharing, ArrayMemory::of(source.array(), plan.source_box),
                             ArrayMemory::of(target.array(), plan.target_box),
                             ChunkOptions{1, chunk_bytes, comm.rank(), comm.size()});
    messages = longest = elsewhere = received_elsewhere = 0;
    watched_target = static_cast<const std::byte*>(target.array().data());
    watched_target_bytes = static_cast<std::size_t>(target.array().local_count()) * sizeof(double);
    watched = static_cast<const std::byte*>(source.array().data());
    watched_bytes = static_cast<std::size_t>(source.array().local_count()) * sizeof(double);
    transfer.bind({source.array()}, {target.array()}, {});
    transfer.start(comm->mpi(), 7);
    transfer.finish();
    MPI_Barrier(MPI_COMM_WORLD);
    return static_cast<std::size_t>(transfer.bytes_sent());
  }
};

/// With a limit of one element and of a few, as there is a limit of 2^31 bytes in practice.
TEST_F(Chunks, NoMessageIsLongerThanAChunk) {
  const Layout rows{{even_axis(30, ranks), undistributed_axis(20)}, {}};
  const Layout columns{{undistributed_axis(30), even_axis(20, ranks)}, {}};
  for (const std::size_t limit : {8U, 40U, 1000U}) {
    Held<double> source(rows, comm);
    Held<double> target(columns, comm, {Order::fortran, 1});
    source.number();
    const std::size_t bytes = move(source, target, limit);
    EXPECT_EQ(target.wrong(), 0);
    EXPECT_TRUE(target.rest_untouched());
    EXPECT_LE(longest, limit);
    EXPECT_GE(messages, (bytes + limit - 1) / limit);
  }
}

/// A run of memory is sent from, and received in, the array itself.
TEST_F(Chunks, RunsOfMemoryGoFromArrayToArray) {
  const Layout even{{even_axis(40, ranks), undistributed_axis(3)}, {}};
  std::vector<Index> lengths(static_cast<std::size_t>(ranks), 1);
  lengths.back() = 41 - ranks;
  const Layout uneven{{block_axis(lengths), undistributed_axis(3)}, {}};
  for (const std::size_t limit : {16U, 64U, 100000U}) {
    Held<double> source(even, comm);
    Held<double> target(uneven, comm);
    source.number();
    move(source, target, limit);
    EXPECT_EQ(target.wrong(), 0);
    EXPECT_EQ(elsewhere, 0U);
    EXPECT_EQ(received_elsewhere, 0U);
  }
}

/// Small pieces of several arrays share messages: one message to each other process.
TEST_F(Chunks, ArraysShareMessages) {
  const Layout rows{{even_axis(2 * ranks, ranks), undistributed_axis(2 * ranks)}, {}};
  const Layout columns{{undistributed_axis(2 * ranks), even_axis(2 * ranks, ranks)}, {}};
  Held<double> a(rows, comm), b(rows, comm), c(rows, comm);
  Held<double> x(columns, comm), y(columns, comm), z(columns, comm);
  for (auto* source : {&a, &b, &c}) source->number();
  Redistribution move({a.array(), b.array(), c.array()}, {x.array(), y.array(), z.array()});
  messages = 0;
  move.run();
  EXPECT_EQ(messages, static_cast<std::size_t>(ranks - 1));
  for (auto* target : {&x, &y, &z}) EXPECT_EQ(target->wrong(), 0);
}

/// By default the largest section on any process decides: a process with chunks of its own would
/// wait for other messages than are sent.
TEST_F(Chunks, AreOfOneSizeOnAllRanks) {
  std::vector<Index> lengths(static_cast<std::size_t>(ranks), 10);
  lengths.front() = 64 * 1024;
  const Layout uneven{{block_axis(lengths)}, {}};
  const Layout dealt{{cyclic_axis(uneven.axes.front().size, ranks, 1)}, {}};
  Held<double> source(uneven, comm), target(dealt, comm);
  source.number();
  Call call(comm, "chunks");
  const Sides sides =
      prepared_sides(ArrayList(source.array()), ArrayList(target.array()), call, {}, true);
  const auto division = Division::agreed_on(plan_redistribution(sides, {}, call), sides, {}, call);
  const auto chunk = static_cast<std::int64_t>(division.chunk);
  ASSERT_EQ(least(chunk), greatest(chunk));
  EXPECT_EQ(chunk, 512 * 1024 / 4 / 8);

  Redistribution redistribution(source.array(), target.array());
  longest = 0;
  redistribution.run();
  EXPECT_EQ(target.wrong(), 0);
  EXPECT_EQ(greatest(static_cast<std::int64_t>(longest)), ranks > 1 ? chunk : 0);
}

/// Large chunks between two orders of memory are short along both, there and back.
TEST_F(Chunks, OfTwoOrders) {
  const Layout rows{{even_axis(700 * ranks, ranks), undistributed_axis(20 * ranks)}, {}};
  const Layout columns{{undistributed_axis(700 * ranks), even_axis(20 * ranks, ranks)}, {}};
  RedistributionOptions options;
  options.buffer_bytes = 8 * 64 * 1024;                      // 8192 elements in a chunk
  const Order here = rank == 0 ? Order::c : Order::fortran;  // one rank's order decides for all
  for (const auto& [from, to] : {std::pair(Order::c, Order::c), std::pair(Order::c, Order::fortran),
                                 std::pair(here, Order::fortran)}) {
    Held<double> source(rows, comm, {from, 1});
    Held<double> target(columns, comm, {to, 1});
    Redistribution move(source.array(), target.array(), options);
    // Elements of a piece by the target's order, 700 x 20: in Fortran order 512 x 16, 512 x 4 and
    // 188 x 20, in C order two parts of 409 and 291 rows.
    const std::size_t parts = to == Order::c ? 2 : 3;
    for (const bool back : {false, true}) {
      (back ? target : source).number();
      (back ? source : target).fill([](Index) { return -1.0; });
      messages = 0;
      back ? move.run_back() : move.run();
      EXPECT_EQ(messages, parts * static_cast<std::size_t>(ranks - 1));
      EXPECT_EQ((back ? source : target).wrong(), 0);
      EXPECT_TRUE((back ? source : target).rest_untouched());
    }
  }
}

/// What is larger than caches is written past them.
TEST_F(Chunks, PastTheCaches) {
  if (ranks > 1) return;
  const Layout layout{{even_axis(streaming_from / 16000 + 1, 1), undistributed_axis(2000)}, {}};
  Held<double> source(layout, comm), target(layout, comm, {Order::fortran, 1});
  source.number();
  redistribute(source.array(), target.array());
  EXPECT_EQ(target.wrong(), 0);
  EXPECT_TRUE(target.rest_untouched());
}

TEST_F(Chunks, PartsAreWholeAndInOrder) {
  std::mt19937 random(5);
  for (int round = 0; round < rounds(300); ++round) {
    Region region;
    const std::size_t ndim = 1 + random() % 3;
    for (std::size_t d = 0; d < ndim; ++d) {
      IndexSpans spans;
      Index at = 0;
      for (std::size_t s = random() % 4; s > 0; --s) {
        at += static_cast<Index>(random() % 3 + 1);
        const auto count = static_cast<Index>(random() % 4 + 1);
        spans.add({at, count});
        at += count;
      }
      region.along.push_back(Selection::of(spans));
      region.order.push_back(static_cast<int>(d));
    }
    std::shuffle(region.order.begin(), region.order.end(), random);
    const std::vector<Index> strides{8 * 400, 8 * 20, 8};
    const auto visited = [&](const Region& part) {
      std::vector<Index> offsets;
      const MemoryRuns runs(part,
                            {strides.end() - static_cast<std::ptrdiff_t>(ndim), strides.end()}, 8);
      runs.for_each([&](Index offset, const InnerLoop& loop) {
        for (Index i = 0; i < loop.count; ++i)
          for (Index at = 0; at < loop.length(i); at += 8)
            offsets.push_back(offset + loop.offset(i) + at);
      });
      return offsets;
    };
    const auto limit = static_cast<Index>(random() % 9 + 1);
    std::vector<Region> parts;
    split(region, {limit}, parts);
    std::vector<Index> together;
    for (const Region& part : parts) {
      EXPECT_LE(part.count(), limit);
      const auto some = visited(part);
      together.insert(together.end(), some.begin(), some.end());
    }
    EXPECT_EQ(together, visited(region));
  }
}

/// A hundred ranks on one process: plans only, comparing what is sent with what is received.
TEST(Plans, OfManyRanks) {
  if (world_size() > 1) return;
  std::mt19937 random(11);
  for (int round = 0; round < rounds(10); ++round) {
    const int ranks = 20 + static_cast<int>(random() % 81);
    const auto grid = grids(ranks, 2);
    const auto layout_of = [&] {
      const auto& shape = grid[random() % grid.size()];
      const auto rows = every_axis(57, shape[0]), columns = every_axis(43, shape[1]);
      return Layout{{rows[random() % rows.size()], columns[random() % columns.size()]}, {}};
    };
    const Layout from = layout_of(), to = layout_of();
    std::vector<Index> sent(static_cast<std::size_t>(ranks)), got = sent;
    run_simulated(ranks, [&](const Comm& comm) {
      const auto here = static_cast<std::size_t>(comm.rank());
      const DistArray source = from.array(comm.rank()).on(comm),
                      target = to.array(comm.rank()).on(comm);
      Call call(comm, "chunks");
      const Sides sides = prepared_sides(ArrayList(source), ArrayList(target), call, {}, false);
      const auto plan = plan_redistribution(sides, {}, call);
      for (const auto& [rank, regions] : plan.sharing.owned)
        for (const Region& region : regions) sent[here] += region.count();
      for (const auto& [rank, regions] : plan.sharing.wanted)
        for (const Region& region : regions) got[here] += region.count();
      Index own = 0;
      for (const OwnRegions& regions : plan.sharing.own) {
        EXPECT_EQ(regions.owned.count(), regions.wanted.count());
        own += regions.owned.count();
      }
      EXPECT_EQ(sent[here] + own, from.owned_count(comm.rank()));
      EXPECT_EQ(got[here] + own, to.owned_count(comm.rank()));
    });
    EXPECT_EQ(std::accumulate(sent.begin(), sent.end(), Index{0}),
              std::accumulate(got.begin(), got.end(), Index{0}));
  }
}

/// Appends the numbers of a region's elements; `numbers` has those of all positions.
void append(const Region& region, const std::vector<Index>& numbers, std::vector<Index>& to) {
  const Selection& along = region.along.front();
  const auto add = [&](IndexSpan span) {
    for (Index i = 0; i < span.count; ++i)
      to.push_back(numbers.at(static_cast<std::size_t>(span.start + i)));
  };
  if (along.is_range()) return add({along.start, along.count});
  along.spans->for_each(add);
}

/// A one-dimensional array numbers the elements of a plane: element by element, what one process
/// sends is what the other expects.
TEST(Plans, TheSameNumbersOnBothSides) {
  if (world_size() > 1) return;
  std::mt19937 random(13);
  for (int round = 0; round < rounds(30); ++round) {
    const int ranks = 1 + static_cast<int>(random() % 16);
    const auto grid = grids(ranks, 2);
    const auto& shape = grid[random() % grid.size()];
    const auto structured = [&](Index size, Index processes) {
      std::vector<Axis> axes = every_axis(size, processes);
      axes.erase(std::remove_if(axes.begin(), axes.end(),
                                [&](const Axis& axis) {
                                  return axis.make({processes, 0}).as<Unstructured>() != nullptr;
                                }),
                 axes.end());
      return axes[random() % axes.size()];
    };
    const Layout plane{{structured(11, shape[0]), structured(13, shape[1])}, {}};
    const auto lines = every_axis(11 * 13, ranks);
    const Layout line{{lines[random() % lines.size()]}, {}};
    using Lists = std::vector<std::vector<std::vector<Index>>>;  // from, to
    const auto count = static_cast<std::size_t>(ranks);
    Lists sent(count, std::vector<std::vector<Index>>(count)), got = sent;
    run_simulated(ranks, [&](const Comm& comm) {
      const auto here = static_cast<std::size_t>(comm.rank());
      const DistArray source = plane.array(comm.rank()).on(comm),
                      target = line.array(comm.rank()).on(comm);
      Call call(comm, "chunks");
      const Sides sides = prepared_sides(ArrayList(source), ArrayList(target), call, {}, false);
      const auto sharing = plan_redistribution(sides, {}, call).sharing;
      const auto on_plane = LocalIndexMap(sides.source.array()).owned_natural();
      const auto on_line = LocalIndexMap(sides.target.array()).local_natural();
      for (const auto& [rank, regions] : sharing.owned)
        for (const Region& region : regions)
          append(region, on_plane, sent[here][static_cast<std::size_t>(rank)]);
      for (const auto& [rank, regions] : sharing.wanted)
        for (const Region& region : regions)
          append(region, on_line, got[static_cast<std::size_t>(rank)][here]);
      for (const OwnRegions& own : sharing.own) {
        append(own.owned, on_plane, sent[here][here]);
        append(own.wanted, on_line, got[here][here]);
      }
    });
    EXPECT_EQ(sent, got);
    std::size_t elements = 0;
    for (const auto& from : got)
      for (const auto& numbers : from) elements += numbers.size();
    EXPECT_GE(elements, 11U * 13U);
  }
}

}  // namespace
