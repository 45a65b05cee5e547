// SPDX-License-Identifier: BSD-3-Clause
// What a redistribution refuses, on all ranks and before any message; faults during its set-up;
// wrong use.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "everywhere.hpp"
#include "held.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

using Doubles = Held<double>;

class Refusals : public ::testing::Test {
 protected:
  const int rank = world_rank();
  const Index ranks = world_size();
  const GridPosition here{ranks, rank};
  const Layout rows{{even_axis(12, ranks), undistributed_axis(4)}, {}};
  const Layout columns{{undistributed_axis(12), cyclic_axis(4, ranks, 1)}, {}};
  Doubles source{rows, MPI_COMM_WORLD};
  Doubles target{columns, MPI_COMM_WORLD};

  void SetUp() override { source.number(); }

  void expect(const std::string& rule, const DistArray& from, const DistArray& to,
              const RedistributionOptions& options = {}) {
    expect_refused_everywhere(rule, [&] { redistribute(from, to, options); });
    EXPECT_TRUE(target.rest_untouched());
    EXPECT_EQ(target.wrong([](Index) { return canary<double>(); }), 0);
    EXPECT_EQ(source.wrong(), 0);
  }
  DistArray numbers(std::vector<double>& memory, const std::vector<Index>& list, Index size) {
    memory.assign(list.size(), -1);
    return describe(memory.data(), {unstructured(size, here, IndexList(list))}).on(MPI_COMM_WORLD);
  }
};

TEST_F(Refusals, OtherShapesAndTypes) {
  Doubles other({{even_axis(12, ranks), undistributed_axis(5)}, {}}, MPI_COMM_WORLD);
  expect("redistribute.shape", source.array(), other.array());
  Doubles line({{even_axis(47, ranks)}, {}}, MPI_COMM_WORLD);
  expect("redistribute.shape", source.array(), line.array());
  Doubles cube({{even_axis(12, ranks), undistributed_axis(2), undistributed_axis(2)}, {}},
               MPI_COMM_WORLD);
  expect("redistribute.shape", source.array(), cube.array());
  Held<float> floats(columns, MPI_COMM_WORLD);
  expect("redistribute.type", source.array(), floats.array());
  Held<std::int64_t> integers(columns, MPI_COMM_WORLD);
  RedistributionOptions convert;
  convert.convert = true;
  expect("redistribute.type", source.array(), integers.array(), convert);
}

/// Only one rank sees it.
TEST_F(Refusals, ShapeOnOneRank) {
  const Index width = rank == ranks - 1 ? 5 : 4;
  Doubles other({{even_axis(12, ranks), undistributed_axis(width)}, {}}, MPI_COMM_WORLD);
  // The ranks of the target disagree, which is found first, or the target differs from the source.
  expect(ranks > 1 ? "D10" : "redistribute.shape", source.array(), other.array());
}

TEST_F(Refusals, OptionsThatDiffer) {
  if (ranks == 1) return;
  RedistributionOptions options;
  const auto refused = [&](const char* key, const char* values) {
    expect_different(
        key, [&] { redistribute(source.array(), target.array(), options); }, values);
    expect("collective.different", source.array(), target.array(), options);
  };
  options.fill_padding = rank == 0;
  refused("fill_padding", "false, and true on rank 0");
  options = {};
  options.buffer_bytes = 1000 + rank;
  refused("buffer_bytes", "1001, and 1000 on rank 0");
}

TEST_F(Refusals, BuffersOfTheLeastNumberOnOneRank) {
  RedistributionOptions options;
  options.buffer_bytes = rank == 0 ? std::numeric_limits<std::int64_t>::min() : 5;
  expect("redistribute.options", source.array(), target.array(), options);
}

/// Processes in one row of the grid must have the same list.
TEST_F(Refusals, ListsThatDifferAlongAGridLine) {
  if (ranks != 4) return;
  const Index row = rank / 2, column = rank % 2;
  std::vector<Index> list = row == 0 ? std::vector<Index>{0, 2} : std::vector<Index>{3, 1};
  double memory[4] = {}, there[4] = {};
  const auto lists = [&] {
    return describe(memory, {unstructured(4, {2, row}, IndexList(list)), block(4, {2, column})})
        .on(MPI_COMM_WORLD);
  };
  const auto whole = describe(there, {block(4, {4, rank}), undistributed(4)}).on(MPI_COMM_WORLD);
  redistribute(lists(), whole);
  if (rank == 1) std::swap(list[0], list[1]);
  expect("U12", lists(), whole);
}

/// Columns of one matrix: their spans overlap, but their elements do not.
TEST_F(Refusals, PartsOfOneMatrixShareNoMemory) {
  std::vector<double> matrix(60, 1);
  const std::vector<Index> strides{80, 8};
  const auto part = [&](double* first) {
    return describe(first, {block(6 * ranks, here), undistributed(5)}, strides).on(MPI_COMM_WORLD);
  };
  for (std::size_t i = 0; i < 60; i += 10) std::fill_n(&matrix[i], 5, static_cast<double>(i));
  redistribute(part(matrix.data()), part(matrix.data() + 5));
  for (std::size_t i = 0; i < 60; i += 10) EXPECT_EQ(matrix[i + 9], static_cast<double>(i));
  expect("redistribute.memory", part(matrix.data()), part(matrix.data() + 4));
  const std::vector<Index> backwards{80, -8};
  const auto turned =
      describe(matrix.data() + 9, part(matrix.data()).dimensions(), backwards).on(MPI_COMM_WORLD);
  redistribute(part(matrix.data()), turned);
  EXPECT_EQ(matrix[19], 10);
}

TEST_F(Refusals, NegativeBuffers) {
  RedistributionOptions options;
  options.buffer_bytes = -1;
  expect("redistribute.options", source.array(), target.array(), options);
}

TEST_F(Refusals, TargetsThatCannotBeWritten) {
  expect("lease.readonly", source.array(), target.array().as_readonly());
  const auto bare = [&](const Layout& layout) {
    return describe(DataType::of<double>(), nullptr, layout.dimensions(rank)).on(MPI_COMM_WORLD);
  };
  expect("lease.memory", source.array(), bare(columns));
  expect("lease.memory", bare(rows), target.array());
  double one = 0;
  const auto same =
      describe(&one, {undistributed(12), block(4 * ranks, here)}, {0, 0}).on(MPI_COMM_WORLD);
  Doubles wide({{even_axis(12, ranks), undistributed_axis(4 * ranks)}, {}}, MPI_COMM_WORLD);
  expect("redistribute.strides", wide.array(), same);
  // A sliding window is right to read, not to write.
  std::vector<double> line(static_cast<std::size_t>(12 + 4));
  const auto window =
      describe(line.data(), {undistributed(12), block(4 * ranks, here)}, {8, 8}).on(MPI_COMM_WORLD);
  expect("redistribute.strides", wide.array(), window);
  line.assign(line.size(), 3);
  redistribute(window, wide.array());
  EXPECT_EQ(wide.wrong([](Index) { return 3.0; }), 0);
}

TEST_F(Refusals, InterleavedElementsAreApart) {
  // Offsets 0, 2, 4 and 3, 5, 7 of one block of memory: no nested strides, no shared element.
  std::vector<double> line(8);
  const auto woven = describe(line.data(), {block(2 * ranks, here), undistributed(3)}, {24, 16})
                         .on(MPI_COMM_WORLD);
  Doubles plain({{even_axis(2 * ranks, ranks), undistributed_axis(3)}, {}}, MPI_COMM_WORLD);
  redistribute(plain.array(), woven);
  // With one step more along the second dimension 0 + 6 is 6 and so is 3 * 2.
  std::vector<double> longer(13);
  const auto shared = describe(longer.data(), {block(3 * ranks, here), undistributed(4)}, {24, 16})
                          .on(MPI_COMM_WORLD);
  Doubles more({{even_axis(3 * ranks, ranks), undistributed_axis(4)}, {}}, MPI_COMM_WORLD);
  expect("redistribute.strides", more.array(), shared);
}

TEST_F(Refusals, StridesOfNoElementsDoNotCount) {
  double one = 0, other = 0;
  const auto from = describe(&one, {undistributed(4), block(0, here)}, {0, 8}).on(MPI_COMM_WORLD);
  const auto to = describe(&other, {undistributed(4), block(0, here)}, {0, 8}).on(MPI_COMM_WORLD);
  EXPECT_NO_THROW(redistribute(from, to));
}

TEST_F(Refusals, MemoryThatTheHostCannotReach) {
  const Buffer& buffer = target.array().buffer();
  const Section device(protocol_0_9,
                       Buffer(buffer.type(), buffer.local_shape(), buffer.byte_strides(),
                              const_cast<void*>(buffer.data()), false, buffer.state(), {2, 0}),
                       target.array().dimensions());
  expect("redistribute.device", source.array(), device.on(MPI_COMM_WORLD));
}

TEST_F(Refusals, TargetsOnTheSourcesMemory) {
  const DistArray& array = source.array();
  expect("redistribute.memory", array, array);
  // On one rank only, by one element.
  std::vector<double> memory(200, 0);
  const auto dimensions = rows.dimensions(rank);
  const auto count = local_count(dimensions);
  const auto from = [&](Index first) {
    return describe(memory.data() + first, dimensions).on(MPI_COMM_WORLD);
  };
  expect("redistribute.memory", from(0), from(rank == 0 ? count - 1 : count));
  redistribute(from(0), from(count));
}

/// Fields of one structure alternate in memory and share nothing.
TEST_F(Refusals, InterleavedArraysShareNoMemory) {
  const auto dimensions = rows.dimensions(rank);
  const Index count = local_count(dimensions);
  std::vector<double> memory(static_cast<std::size_t>(2 * count));
  const std::vector<Index> strides{64, 16};
  const auto at = [&](std::ptrdiff_t byte) {
    return describe(reinterpret_cast<double*>(reinterpret_cast<char*>(memory.data()) + byte),
                    dimensions, strides)
        .on(MPI_COMM_WORLD);
  };
  for (std::size_t i = 0; i < memory.size(); i += 2) memory[i] = static_cast<double>(i);
  redistribute(at(0), at(8));
  for (std::size_t i = 0; i < memory.size(); i += 2) EXPECT_EQ(memory[i + 1], memory[i]);
  // Two wide elements that overlap by half.
  expect("redistribute.memory", at(0), at(4));
}

TEST_F(Refusals, IndicesThatNobodyHas) {
  std::vector<double> from_memory, to_memory;
  std::vector<Index> list;
  for (Index i = rank; i < 20; i += ranks)
    if (i != 13) list.push_back(i);
  const auto from = numbers(from_memory, list, 20);
  Doubles line({{even_axis(20, ranks)}, {}}, MPI_COMM_WORLD);
  // A structured target is told by the source; an unstructured one asks.
  expect("redistribute.missing", from, line.array());
  const auto to = numbers(to_memory, {13, 2}, 20);
  expect("redistribute.missing", from, to);
}

/// One of 21 indices, on one rank, is not below the size, nor has the target another place for it.
TEST_F(Refusals, IndicesThatTheTargetLacks) {
  std::vector<double> from_memory;
  std::vector<Index> list;
  for (Index i = rank; i < 21; i += ranks) list.push_back(i);
  const auto from = numbers(from_memory, list, 20);
  Doubles line({{even_axis(20, ranks)}, {}}, MPI_COMM_WORLD);
  expect("redistribute.beyond", from, line.array());
  Doubles pairs({{even_axis(5, ranks), undistributed_axis(4)}, {}}, MPI_COMM_WORLD);
  expect("redistribute.beyond", from, pairs.array());
  // Of two dimensions, the target asks.
  std::vector<double> wide(2 * list.size());
  Doubles table({{even_axis(20, ranks), undistributed_axis(2)}, {}}, MPI_COMM_WORLD);
  const auto listed =
      describe(wide.data(), {unstructured(20, here, IndexList(list), true), undistributed(2)});
  expect("redistribute.beyond", listed.on(MPI_COMM_WORLD), table.array());
}

TEST_F(Refusals, IndicesThatSeveralHave) {
  std::vector<double> from_memory, to_memory;
  std::vector<Index> list{5};
  for (Index i = rank; i < 20; i += ranks)
    if (i != 5 || ranks > 1) list.push_back(i);
  if (ranks == 1) list = {0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
  const auto from = numbers(from_memory, list, 20);
  for (std::size_t i = 0; i < list.size(); ++i) from_memory[i] = static_cast<double>(list[i]);
  Doubles line({{even_axis(20, ranks)}, {}}, MPI_COMM_WORLD);
  expect("redistribute.overlap", from, line.array());
  const auto to = numbers(to_memory, {19, 5, 2}, 20);
  expect("redistribute.overlap", from, to);

  RedistributionOptions any;
  any.read_from_any = true;
  redistribute(from, line.array(), any);
  EXPECT_EQ(line.wrong(), 0);
  redistribute(from, to, any);
  EXPECT_EQ(to_memory, (std::vector<double>{19, 5, 2}));
  // The opposite direction writes to every copy.
  Redistribution both(from, line.array(), any);
  line.fill([](Index number) { return 100.0 + static_cast<double>(number); });
  both.run_back();
  for (std::size_t i = 0; i < list.size(); ++i)
    EXPECT_EQ(from_memory[i], 100.0 + static_cast<double>(list[i]));
}

TEST_F(Refusals, IndicesThatSeveralHaveOfAnArrayOfAnotherShape) {
  // Each process has index 5, and its neighbour's first index, before its own.
  std::vector<Index> list{5, (rank + 1) % ranks};
  for (Index i = rank; i < 20; i += ranks)
    if (i != 5 && (ranks > 1 || i != 0)) list.push_back(i);
  std::vector<double> memory(list.size() * 6);
  const auto number = [&](std::size_t i) {
    return static_cast<double>(6 * list[i / 6] + static_cast<Index>(i % 6));
  };
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = number(i);
  const auto from = describe(memory.data(), {unstructured(20, here, IndexList(list)),
                                             undistributed(2), undistributed(3)})
                        .on(MPI_COMM_WORLD);
  Doubles line({{even_axis(120, ranks)}, {}}, MPI_COMM_WORLD);
  if (ranks > 1) expect("redistribute.overlap", from, line.array());

  RedistributionOptions any;
  any.read_from_any = true;
  Redistribution both(from, line.array(), any);
  both.run();
  EXPECT_EQ(line.wrong(), 0);
  std::int64_t sent = both.bytes_sent();
  MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_LE(sent, 120 * 8) << "each element once";
  line.fill([](Index of) { return 100.0 + static_cast<double>(of); });
  both.run_back();
  for (std::size_t i = 0; i < memory.size(); ++i) EXPECT_EQ(memory[i], 100.0 + number(i));
  if (ranks == 1) return;
  Faults().expect_agreed([&] { Redistribution(from, line.array(), any); });
}

TEST_F(Refusals, Batches) {
  Doubles other(columns, MPI_COMM_WORLD);
  const auto make = [&](const std::vector<DistArray>& from, const std::vector<DistArray>& to) {
    return [=] { Redistribution(from, to); };
  };
  const DistArray a = source.array(), b = target.array(), c = other.array();
  expect_refused_everywhere("redistribute.batch", make({a}, {b, c}));
  // Without arrays, the ranks of the call can only be those of the communicator used before.
  expect_refused_everywhere(ranks == 1 ? "argument" : "redistribute.batch", make({}, {}));
  expect_refused_everywhere("redistribute.layout", make({a, b}, {b, c}));
  expect_refused_everywhere("redistribute.memory", make({a, a}, {b, b}));
  make({a, a}, {b, c})();  // one source for two targets
  if (ranks > 1) {
    const bool one = rank == 0;
    expect_refused_everywhere("redistribute.batch", one ? make({a}, {b}) : make({a, a}, {b, c}));
  }
}

TEST_F(Refusals, WaysBackToWhatCannotBeWritten) {
  Redistribution move(source.array().as_readonly(), target.array());
  move.run();
  expect_refused_everywhere("lease.readonly", [&] { move.run_back(); });
  EXPECT_EQ(source.wrong(), 0);
  move.run();
}

TEST_F(Refusals, WaysBackAfterRebinding) {
  Doubles more(columns, MPI_COMM_WORLD);
  const DistArray a = source.array();
  Doubles other(rows, MPI_COMM_WORLD);
  Redistribution move({a, other.array()}, {target.array(), more.array()});
  move.run_back();
  source.number();
  move.rebind({a, a}, {target.array(), more.array()});
  move.run();
  if (a.local_count() > 0)  // process-local
    expect_refused("redistribute.memory", [&] { move.run_back(); });
  EXPECT_EQ(source.wrong(), 0);
}

/// More bytes than 64 bits can count, more elements than a plan could list, and none at all.
TEST_F(Refusals, DescriptionsOfAnySize) {
  const auto bytes = [&](std::vector<Dimension> from, std::vector<Dimension> to) {
    return bytes_to_redistribute(
        describe(DataType::of<double>(), nullptr, std::move(from)).on(MPI_COMM_WORLD),
        describe(DataType::of<double>(), nullptr, std::move(to)).on(MPI_COMM_WORLD));
  };
  const Index many = Index{1} << 50;
  // What stays is what both sides give to a process.
  const Index block_size = Index{1} << 40;
  std::int64_t stays = 0;
  const IndexRange owned = even_block(many, here);
  for (Index start = rank * block_size; start < many; start += ranks * block_size)
    stays += intersect(owned, {start, start + block_size}).size();
  MPI_Allreduce(MPI_IN_PLACE, &stays, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(bytes({block(many, here)}, {cyclic(many, here, block_size)}), 8 * (many - stays));
  const Index rows_of_nothing = Index{1} << 20;
  EXPECT_EQ(bytes({block(rows_of_nothing, here), undistributed(rows_of_nothing), undistributed(0)},
                  {block(0, here)}),
            0);
  if (ranks > 1) {
    // All 2^60 - 1 doubles go from the first process to the last.
    const Index most = (Index{1} << 60) - 1;
    const IndexRange all{0, most}, none{most, most};
    EXPECT_EQ(bytes({block(most, here, rank == 0 ? all : none)},
                    {block(most, here, rank + 1 == ranks ? all : IndexRange{0, 0})}),
              8 * most);
    // Two processes swap halves of 2^60 doubles: 2^63 bytes, one more than can be counted.
    const Index half = Index{1} << 59;
    const auto halves = [&](Index seat) {
      const IndexRange part{half * std::min(seat, Index{2}), half * std::min(seat + 1, Index{2})};
      return block(2 * half, {ranks, seat}, part);
    };
    EXPECT_EQ(bytes({halves(rank)}, {halves(rank < 2 ? 1 - rank : rank)}),
              std::numeric_limits<std::int64_t>::max());
  }
}

TEST_F(Refusals, UseThatIsNotAsTold) {
  Redistribution move(source.array(), target.array());
  expect_refused_everywhere("redistribute.not-begun", [&] { move.end(); });
  move.begin();
  expect_refused_everywhere("redistribute.begun", [&] { move.begin(); });
  expect_refused_everywhere("redistribute.begun", [&] { move.begin_back(); });
  expect_refused_everywhere("redistribute.begun",
                            [&] { move.rebind(source.array(), target.array()); });
  move.end();
  EXPECT_EQ(target.wrong(), 0);
  expect_refused_everywhere("redistribute.layout",
                            [&] { move.rebind(target.array(), source.array()); });
  const DistArray over = target.array().with_memory(const_cast<void*>(source.array().data()));
  if (over.local_count() > 0)  // process-local
    expect_refused("redistribute.memory", [&] { move.rebind(source.array(), over); });
  EXPECT_EQ(move.targets().front().data(), target.array().data());
  Redistribution moved(std::move(move));
  moved.run();
  expect_refused_everywhere("redistribute.moved", [&] { move.run(); });
}

TEST_F(Refusals, AbandonedUnderWay) {
  {
    Redistribution move(source.array(), target.array());
    move.begin();
    Redistribution other(source.array(), target.array());
    other = std::move(move);
  }
  EXPECT_EQ(target.wrong(), 0);
}

/// A write lease is held, and all views are notified at its end.
TEST_F(Refusals, ViewsAreTold) {
  struct Watch final : NativeView {
    ~Watch() override { unwatch(); }
    void modified() override { ++told; }
    int told = 0;
  } watch;
  watch.watch(target.array().buffer().state());
  Redistribution move(source.array(), target.array());
  EXPECT_EQ(watch.told, 0);
  move.begin();
  EXPECT_EQ(watch.told, 0);
  move.end();
  EXPECT_EQ(watch.told, 1);
}

TEST_F(Refusals, FaultsOfOneRank) {
  std::vector<double> memory, more;
  std::vector<Index> list, reversed;
  for (Index i = rank; i < 48; i += ranks) list.push_back(i);
  for (Index i = rank; i < 48; i += ranks) reversed.push_back(47 - i);
  const auto lists = numbers(memory, list, 48);
  const auto backwards = numbers(more, reversed, 48);
  Doubles line({{cyclic_axis(48, ranks, 5)}, {}}, MPI_COMM_WORLD);
  const std::vector<std::pair<DistArray, DistArray>> cases{{source.array(), target.array()},
                                                           {source.array(), line.array()},
                                                           {lists, target.array()},
                                                           {lists, backwards}};
  for (const auto& [from, to] : cases) {
    const auto there_and_back = [&a = from, &b = to] {
      Redistribution move(a, b);
      move.run_back();
    };
    Faults().expect_agreed(there_and_back);
  }
}

TEST_F(Refusals, FaultsBetweenCommunicators) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, 0, &part);
  const Doubles alone({{even_axis(12, 1), undistributed_axis(4)}, {}},
                      rank == 0 ? part : MPI_COMM_SELF);
  const std::vector<DistArray> to{target.array()};
  std::vector<DistArray> from;
  if (rank == 0) from = {alone.array()};
  Faults().expect_agreed([&] { Redistribution(from, to, MPI_COMM_WORLD).run(); });
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
}

}  // namespace
