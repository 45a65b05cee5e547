// SPDX-License-Identifier: BSD-3-Clause
// From every distribution to every other and back: each element holds its global number.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "effort.hpp"
#include "held.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

using Element = std::int64_t;
using Numbered = Held<Element>;

class Redistribute : public ::testing::Test {
 protected:
  const Comm comm = MPI_COMM_WORLD;
  const int rank = comm.rank();
  const Index ranks = comm.size();

  std::vector<std::vector<Index>> seats() const { return {{}, reversed_seats(ranks)}; }

  /// To the target, and back to a source whose values were erased.
  void check(const Layout& from, const Layout& to, Placement at_source = {},
             Placement at_target = {}, const RedistributionOptions& options = {}) {
    Numbered source(from, comm, at_source);
    Numbered target(to, comm, at_target);
    source.number();
    Redistribution move(source.array(), target.array(), options);
    move.run();
    EXPECT_EQ(target.wrong(), 0);
    EXPECT_EQ(options.fill_padding ? target.wrong_with_padding() : 0, 0);
    EXPECT_TRUE(target.rest_untouched(options.fill_padding));
    EXPECT_EQ(source.wrong(), 0);
    EXPECT_TRUE(source.rest_untouched());
    source.forget();
    move.run_back();
    EXPECT_EQ(source.wrong(), 0);
    EXPECT_EQ(options.fill_padding ? source.wrong_with_padding() : 0, 0);
    EXPECT_TRUE(source.rest_untouched(options.fill_padding));
    EXPECT_EQ(target.wrong(), 0);
  }
};

TEST_F(Redistribute, LinesOfEveryDistribution) {
  int number = 0;
  for (const Index size : {0, 1, 7, 23})
    for (const Axis& from : every_axis(size, ranks))
      for (const Axis& to : every_axis(size, ranks))
        for (const auto& order : seats())
          if (tried(number++, 5)) check({{from}, {}}, {{to}, order});
}

TEST_F(Redistribute, PlanesOfEveryDistribution) {
  int turn = 0;
  for (const auto& grid : grids(ranks, 2))
    for (const auto& other : grids(ranks, 2))
      for (const Axis& rows : every_axis(9, grid[0]))
        for (const Axis& columns : every_axis(11, other[1])) {
          ++turn;
          if ((ranks > 4 && turn % 3 != 0 && !all_rounds()) || !tried(turn, 7)) continue;
          const auto others = every_axis(9, other[0]);
          const auto some = every_axis(11, grid[1]);
          const Layout from{{rows, some[static_cast<std::size_t>(turn) % some.size()]}, {}};
          const Layout to{{others[static_cast<std::size_t>(turn / 3) % others.size()], columns},
                          turn % 4 == 0 ? seats()[1] : std::vector<Index>{}};
          RedistributionOptions options;
          options.buffer_bytes = turn % 5 == 0 ? 1 : 0;
          check(from, to, {}, {turn % 2 == 0 ? Order::c : Order::fortran, 1}, options);
        }
}

/// Random layouts, places in memory and seats of the ranks, in one to four dimensions.
TEST_F(Redistribute, AnyToAny) {
  std::mt19937 random(static_cast<unsigned>(ranks));
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int round = 0; round < rounds(150); ++round) {
    const int ndim = 1 + static_cast<int>(below(4));
    std::vector<Index> shape;
    for (int d = 0; d < ndim; ++d) shape.push_back(static_cast<Index>(below(ndim > 2 ? 6 : 20)));
    const auto layout = [&] {
      const auto all = grids(ranks, ndim);
      const auto& grid = all[below(all.size())];
      Layout made{{}, below(3) == 0 ? reversed_seats(ranks) : std::vector<Index>{}};
      for (std::size_t d = 0; d < shape.size(); ++d) {
        const auto axes = every_axis(shape[d], grid[d]);
        made.axes.push_back(axes[below(axes.size())]);
      }
      return made;
    };
    const auto placement = [&] {
      return Placement{below(2) == 0 ? Order::c : Order::fortran, below(4) == 0 ? 3 : 1,
                       below(4) == 0};
    };
    const Layout from = layout(), to = layout();
    const Placement at_source = placement(), at_target = placement();
    RedistributionOptions options;
    // Padding wider than the neighbours' sections is refused.
    const auto wide_enough = [](const Layout& dealt) {
      return std::all_of(dealt.axes.begin(), dealt.axes.end(),
                         [](const Axis& axis) { return axis.size >= 2 * axis.processes; });
    };
    options.fill_padding = wide_enough(from) && wide_enough(to) && below(2) == 0;
    SCOPED_TRACE("round " + std::to_string(round));
    check(from, to, at_source, at_target, options);
  }
}

/// Larger than the buffers, so that several chunks are sent.
TEST_F(Redistribute, InManyChunks) {
  const Layout rows{{even_axis(240, ranks), undistributed_axis(300)}, {}};
  const Layout columns{{undistributed_axis(240), cyclic_axis(300, ranks, 7)}, {}};
  Numbered source(rows, comm);
  Numbered target(columns, comm, {Order::fortran, 1});
  source.number();
  RedistributionOptions options;
  options.buffer_bytes = 1;  // the smallest buffer: 64 KiB
  Redistribution move(source.array(), target.array(), options);
  EXPECT_LE(move.buffer_bytes(), 64 * 1024 + 128 * 1024);
  for (int round = 0; round < 3; ++round) move.run();
  EXPECT_EQ(target.wrong(), 0);
  EXPECT_TRUE(target.rest_untouched());
  EXPECT_EQ(move.bytes_received() + move.bytes_copied(),
            target.array().owned_count() * static_cast<Index>(sizeof(Element)));
}

TEST_F(Redistribute, PaddingOfTheTargetToo) {
  const Layout from{{cyclic_axis(24, ranks, 2)}, {}};
  const Layout to{{even_axis(24, ranks, BlockPadding({2, 1}, {}, true))}, {}};
  Numbered source(from, comm);
  Numbered target(to, comm);
  source.number();
  RedistributionOptions options;
  options.fill_padding = true;
  Redistribution(source.array(), target.array(), options).run();
  EXPECT_EQ(target.wrong_with_padding(), 0);
  EXPECT_TRUE(target.rest_untouched(true));
}

/// Boundary padding belongs to its owner, and is sent like any other element.
TEST_F(Redistribute, BoundaryPaddingTravels) {
  const Layout from{{even_axis(12 * ranks, ranks, BlockPadding({1, 1}, {2, 3}))}, {}};
  const Layout to{{cyclic_axis(12 * ranks, ranks, 1)}, {}};
  check(from, to);
  check(to, from);
}

/// The same section described differently: in the next version of the protocol, and as a flat
/// buffer.
TEST_F(Redistribute, VersionsAndFlatBuffers) {
  const Layout from{{even_axis(9 * ranks, ranks, BlockPadding({1, 1}))}, {}};
  const Layout to{{undistributed_axis(1), cyclic_axis(9 * ranks, ranks, 2)}, {}};
  Numbered source(from, comm), target({{cyclic_axis(9 * ranks, ranks, 2)}, {}}, comm);
  source.number();
  const Section& old = source.array();
  const Section next(protocol_0_10, old.buffer(), old.dimensions());
  const Section flat(protocol_0_9, target.array().buffer(), to.dimensions(rank));
  Redistribution(next.on(comm), target.array()).run();
  EXPECT_EQ(target.wrong(), 0);
  target.forget();
  // One row, in a buffer of one dimension and in one of two.
  Numbered row({{undistributed_axis(1), even_axis(9 * ranks, ranks)}, {}}, comm);
  row.number();
  Redistribution(row.array(), flat.on(comm)).run();
  EXPECT_EQ(target.wrong(), 0);
}

/// Elements that are contiguous on both sides are sent directly from memory to memory.
TEST_F(Redistribute, NoBuffersForRunsOfMemory) {
  const Layout even{{even_axis(64 * ranks, ranks), undistributed_axis(50)}, {}};
  std::vector<Index> lengths(static_cast<std::size_t>(ranks), 0);
  lengths[0] = 64 * ranks - (ranks - 1);
  for (std::size_t r = 1; r < lengths.size(); ++r) lengths[r] = 1;
  const Layout uneven{{block_axis(lengths), undistributed_axis(50)}, {}};
  Numbered source(even, comm);
  Numbered target(uneven, comm);
  source.number();
  Redistribution move(source.array(), target.array());
  EXPECT_EQ(move.buffer_bytes(), 0);
  move.run();
  EXPECT_EQ(target.wrong(), 0);
}

TEST_F(Redistribute, SeveralArraysAtOnce) {
  const Layout from{{even_axis(13, ranks), undistributed_axis(3)}, {}};
  const Layout to{{cyclic_axis(13, ranks, 2), undistributed_axis(3)}, {}};
  for (const std::size_t count : {1U, 2U, 5U}) {
    std::vector<Numbered> sources, targets;
    std::vector<DistArray> from_arrays, to_arrays;
    sources.reserve(count);
    targets.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      sources.emplace_back(from, comm);
      targets.emplace_back(to, comm);
      from_arrays.push_back(sources.back().array());
      to_arrays.push_back(targets.back().array());
    }
    const auto value = [](std::size_t i) {
      return [i](Index number) { return number + 1000 * static_cast<Index>(i); };
    };
    for (std::size_t i = 0; i < count; ++i) sources[i].fill(value(i));
    Redistribution move(from_arrays, to_arrays);
    move.run();
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(targets[i].wrong(value(i)), 0);
      EXPECT_TRUE(targets[i].rest_untouched());
      sources[i].forget();
    }
    move.run_back();
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(sources[i].wrong(value(i)), 0);
  }
}

TEST_F(Redistribute, InBetweenBeginAndEnd) {
  const Layout from{{even_axis(40, ranks), undistributed_axis(5)}, {}};
  const Layout to{{undistributed_axis(40), cyclic_axis(5, ranks, 1)}, {}};
  Numbered source(from, comm), other(from, comm);
  Numbered target(to, comm), second(to, comm);
  source.number();
  other.fill([](Index number) { return 7 * number; });
  Redistribution first(source.array(), target.array());
  Redistribution beside(other.array(), second.array());
  for (int round = 0; round < 3; ++round) {
    target.forget();
    second.forget();
    first.begin();
    EXPECT_TRUE(first.in_flight());
    beside.begin();
    // Ended in another order than begun.
    beside.end();
    first.end();
    EXPECT_EQ(target.wrong(), 0);
    EXPECT_EQ(second.wrong([](Index number) { return 7 * number; }), 0);
  }
}

TEST_F(Redistribute, ReboundToOtherMemory) {
  const Layout from{{even_axis(17, ranks)}, {}};
  const Layout to{{cyclic_axis(17, ranks, 2)}, {}};
  Numbered source(from, comm), later(from, comm);
  Numbered target(to, comm), other(to, comm);
  Redistribution move(source.array(), target.array());
  later.fill([](Index number) { return 3 * number; });
  move.rebind(later.array(), other.array());
  move.run();
  EXPECT_EQ(other.wrong([](Index number) { return 3 * number; }), 0);
  other.fill([](Index number) { return 5 * number; });
  move.run_back();
  EXPECT_EQ(later.wrong([](Index number) { return 5 * number; }), 0);
}

TEST_F(Redistribute, BytesThatWouldMove) {
  const Layout even{{even_axis(8 * ranks, ranks), undistributed_axis(3)}, {}};
  const Layout columns{{undistributed_axis(8 * ranks), cyclic_axis(3, ranks, 1)}, {}};
  Numbered source(even, comm);
  const DistArray target =
      describe(DataType::of<Element>(), nullptr, columns.dimensions(rank)).on(comm);
  std::int64_t stays = 0;
  source.for_each([&](Element&, Index number) { stays += number % 3 % ranks == rank ? 1 : 0; });
  comm->allreduce(&stays, 1, Reduction::sum);
  EXPECT_EQ(bytes_to_redistribute(source.array(), target),
            (24 * ranks - stays) * static_cast<Index>(sizeof(Element)));
}

}  // namespace
