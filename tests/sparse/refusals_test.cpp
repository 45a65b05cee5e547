// SPDX-License-Identifier: BSD-3-Clause
// What only one rank does wrong is refused on all ranks, and nothing is written; ranks that are
// threads of one process.

#include <functional>
#include <string>

#include <daptor/simulated.hpp>

#include "everywhere.hpp"
#include "line.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

class SparseRefusals : public ::testing::Test {
 protected:
  static constexpr Index size = 23;
  const int last = world_size() - 1;
  const bool at_fault = world_rank() == last;
  Line<double> source{even(size)}, target{even(size)}, few{even(size)};
  Line<std::int32_t> mask{even(size)};

  void SetUp() override {
    std::vector<int> bits(size, 0);
    for (std::size_t i = 0; i < bits.size(); i += 4) bits[i] = 1;
    mask.set(bits);
    source.fill(1);
    target.fill(2);
    few.fill(3);
  }

  /// On all ranks, with nothing written anywhere.
  template <class Expected = InvalidArgument>
  void expect(const std::string& rule, const std::function<void()>& call) {
    const auto s = source.bytes(), t = target.bytes(), f = few.bytes(), m = mask.bytes();
    expect_refused_everywhere<Expected>(rule, call);
    EXPECT_EQ(source.bytes(), s);
    EXPECT_EQ(target.bytes(), t);
    EXPECT_EQ(few.bytes(), f);
    EXPECT_EQ(mask.bytes(), m);
  }
  /// Each operation that reads or writes such an array; `other` is used by the last rank.
  void expect_destination(const std::string& rule, const DistArray& other) {
    const DistArray& to = at_fault ? other : target.array();
    expect(rule, [&] { enumerate(to, 0, 1, MPI_COMM_WORLD); });
    expect(rule, [&] { scan_copy(source, to, mask, MPI_COMM_WORLD); });
    expect(rule, [&] { scan_add(source, to, mask, MPI_COMM_WORLD); });
    expect(rule, [&] { pack(source, mask, to, MPI_COMM_WORLD); });
    expect(rule, [&] { unpack(few, mask, to, MPI_COMM_WORLD); });
  }
};

TEST_F(SparseRefusals, ReadOnlyOnOneRank) {
  expect_destination("lease.readonly", target.array().as_readonly());
}

TEST_F(SparseRefusals, NoMemoryOnOneRank) {
  if (target.array().local_count() == 0) return;
  expect_destination("lease.memory", target.array().with_memory(nullptr));
}

TEST_F(SparseRefusals, ElementsOnTheSameMemory) {
  double one = 5;
  const auto same = describe(&one, {even(size)}, std::vector<Index>{0});
  expect_destination("sparse.strides", same);
  EXPECT_EQ(one, 5);
}

TEST_F(SparseRefusals, NotDescribedOnOneRank) {
  const DistArray none;
  const auto other = [&](const DistArray& array) -> const DistArray& {
    return at_fault ? none : array;
  };
  const auto refused = [&](const std::function<void()>& call) {
    expect<Error>("array.empty", call);
  };
  refused([&] { enumerate(other(target), 0, 1, MPI_COMM_WORLD); });
  refused([&] { scan_add(other(source), target, mask, MPI_COMM_WORLD); });
  refused([&] { scan_add(source, other(target), mask, MPI_COMM_WORLD); });
  refused([&] { scan_add(source, target, other(mask), MPI_COMM_WORLD); });
  refused([&] { pack(source, mask, other(few), MPI_COMM_WORLD); });
  refused([&] { pack(source, other(mask), few, MPI_COMM_WORLD); });
  refused([&] { unpack(other(few), mask, target, MPI_COMM_WORLD); });
  refused([&] { packed(other(source), mask, MPI_COMM_WORLD); });
}

TEST_F(SparseRefusals, ArgumentsThatDiffer) {
  if (world_size() == 1) return;
  const IndexRange range{0, at_fault ? 5 : 6};
  ScanOptions within, kind, before;
  within.range = range;
  kind.exclusive = at_fault;
  before.before = at_fault ? BeforeFirst::keep : BeforeFirst::zero;
  for (const ScanOptions& options : {within, kind, before})
    expect("sparse.options", [&] { scan_add(source, target, mask, MPI_COMM_WORLD, options); });
  expect("sparse.options",
         [&] { scan(source, target, mask, at_fault ? ScanBy::min : ScanBy::max, MPI_COMM_WORLD); });
  expect("sparse.options", [&] { pack(source, mask, few, MPI_COMM_WORLD, range); });
  expect("sparse.options", [&] { packed(source, mask, MPI_COMM_WORLD, range); });
  expect("sparse.options", [&] { unpack(few, mask, target, MPI_COMM_WORLD, range); });
  expect("sparse.options", [&] { enumerate(target, at_fault ? 1 : 2, 1, MPI_COMM_WORLD); });
  expect("sparse.options", [&] { enumerate(target, 1, at_fault ? 0.5 : 0.25, MPI_COMM_WORLD); });
}

/// Numbers of different types are the same if the elements are.
TEST_F(SparseRefusals, NumbersOfDifferentTypes) {
  const Number one = at_fault ? Number(1.0F) : Number(1), two = at_fault ? Number(2U) : Number(2.0);
  enumerate(target, one, two, MPI_COMM_WORLD);
  std::vector<double> expected(size);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 1 + 2 * static_cast<double>(i);
  EXPECT_EQ(target.wrong(expected), 0);
}

/// A stride says nothing about a single element.
TEST_F(SparseRefusals, OneElementInPlace) {
  const Dimension each = even(world_size());
  std::vector<std::int64_t> element{world_rank() + 1}, start{world_rank() == 0 ? 1 : 0};
  const auto with_stride = [&](auto& memory, Index stride) {
    return describe(DataType::of<std::int64_t>(), memory.data(), {each}, {stride});
  };
  scan_add(with_stride(element, 8), with_stride(element, 16), with_stride(start, 8),
           MPI_COMM_WORLD);
  EXPECT_EQ(element.front(), (world_rank() + 1) * (world_rank() + 2) / 2);
}

TEST_F(SparseRefusals, SectionsThatAreNoArray) {
  if (world_size() == 1) return;
  // Rank 1 of three or more ranks would begin where rank 0 does.
  const IndexRange mine = even_block(size, {world_size(), world_rank()});
  std::vector<double> memory(40, 1);
  const auto broken = describe(memory.data(), {block(size, {world_size(), world_rank()},
                                                     at_fault ? IndexRange{size, size} : mine)});
  if (mine.empty()) return;
  const auto thrown = [&](const std::function<void()>& call) { EXPECT_THROW(call(), Error); };
  thrown([&] { pack(source, mask, broken, MPI_COMM_WORLD); });
  thrown([&] { enumerate(broken, 0, 1, MPI_COMM_WORLD); });
  EXPECT_EQ(memory, std::vector<double>(40, 1));
}

/// An index of the packed array that no process has.
TEST_F(SparseRefusals, ListsWithoutAnIndex) {
  std::vector<Index> list;
  for (Index i = 0; i < size; ++i)
    if (i != 3 && i % world_size() == world_rank()) list.push_back(i);
  std::vector<double> memory(list.size(), 7);
  const auto holes = describe(
      memory, {unstructured(size, {world_size(), world_rank()}, IndexList(std::move(list)))});
  expect<Error>("sparse.missing", [&] { pack(source, mask, holes, MPI_COMM_WORLD); });
  expect<Error>("sparse.missing", [&] { unpack(holes, mask, target, MPI_COMM_WORLD); });
  EXPECT_EQ(memory, std::vector<double>(memory.size(), 7));
}

/// Memory of a producer that has moved it.
struct Moved final : Producer {
  void* begin_access(Access, void* described) override {
    return static_cast<std::byte*>(described) + 8;
  }
  void end_access(Access) noexcept override {}
};

TEST_F(SparseRefusals, StaleMemoryOnOneRank) {
  const DistArray& plain = target.array();
  const DistArray stale(
      plain.version(),
      Buffer(plain.type(), plain.local_shape(), plain.byte_strides(), plain.mutable_data(), false,
             std::make_shared<SharedState>(std::make_unique<Moved>())),
      plain.dimensions());
  const DistArray& to = at_fault ? stale : plain;
  expect<Stale>("stale", [&] { enumerate(to, 0, 1, MPI_COMM_WORLD); });
  expect<Stale>("stale", [&] { scan_add(source, to, mask, MPI_COMM_WORLD); });
  expect<Stale>("stale", [&] { scan_add(to, source, mask, MPI_COMM_WORLD); });
  expect<Stale>("stale", [&] { pack(source, mask, to, MPI_COMM_WORLD); });
  expect<Stale>("stale", [&] { unpack(to, mask, source, MPI_COMM_WORLD); });
  expect<Stale>("stale", [&] { packed(to, mask, MPI_COMM_WORLD); });
}

/// Ranks that are threads, in numbers that no machine of the tests has.
TEST(SparseSimulated, ManyRanks) {
  if (world_size() > 1) return;
  for (const int ranks : {5, 16, 33}) {
    constexpr int size = 70;
    std::vector<std::int64_t> source(size), target(size, -1), few(size, -1);
    std::vector<std::int8_t> mask(size);
    for (std::size_t i = 0; i < size; ++i) {
      source[i] = static_cast<std::int64_t>(i) + 1;
      mask[i] = i % 9 == 4 ? 1 : 0;
    }
    const auto call = [&](auto&& body) {
      run_simulated(ranks, [&](const Comm& comm) {
        const GridPosition grid{ranks, ranks - 1 - comm.rank()};  // in the opposite order
        const IndexRange mine = even_block(size, grid);
        const auto part = [&](auto& memory) {
          return describe(memory.data() + mine.start, mine.size(), {block(size, grid)});
        };
        body(part(source), part(target), part(mask), part(few), comm);
      });
    };
    call([](const auto& from, const auto& to, const auto& bits, const auto&, const auto& comm) {
      scan_add(from, to, bits, comm);
    });
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
      sum = mask[i] != 0 ? source[i] : sum + source[i];
      EXPECT_EQ(target[i], i < 4 ? -1 : sum) << i;
    }
    call([](const auto& from, const auto&, const auto& bits, const auto& front, const auto& comm) {
      EXPECT_EQ(pack(from, bits, front, comm), 8);
    });
    for (std::size_t i = 0; i < size; ++i)
      EXPECT_EQ(few[i], i < 8 ? static_cast<std::int64_t>(9 * i + 5) : -1);
    std::fill(target.begin(), target.end(), 0);
    call([](const auto&, const auto& to, const auto& bits, const auto& front, const auto& comm) {
      EXPECT_EQ(unpack(front, bits, to, comm), 8);
    });
    for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(target[i], mask[i] != 0 ? source[i] : 0);
  }
}

}  // namespace
