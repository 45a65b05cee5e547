// SPDX-License-Identifier: BSD-3-Clause
// What only one rank does wrong is refused on all ranks, and nothing is written.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "everywhere.hpp"
#include "line.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

class SparseRefusals : public ::testing::Test, protected MaskedOperands {
 protected:
  static constexpr Index size = 23;
  static constexpr int nobody = -1;  ///< the error names no rank
  const int last = world_size() - 1;
  const bool at_fault = world_rank() == last;

  SparseRefusals() : MaskedOperands(size, even(size)) {}

  const DistArray& unless_last(const DistArray& usual, const DistArray& of_last) const {
    return at_fault ? of_last : usual;
  }
  /// On all ranks, with nothing written anywhere.
  /// @param culprit  the rank that the error names
  template <class Expected = InvalidArgument>
  void expect(const std::string& rule, int culprit, const std::function<void()>& call) {
    const auto before = bytes();
    expect_refused_everywhere<Expected>(rule, call, culprit);
    EXPECT_EQ(bytes(), before) << rule;
  }
  /// What the last rank does wrong.
  template <class Expected = InvalidArgument>
  void expect(const std::string& rule, const std::function<void()>& call) {
    expect<Expected>(rule, last, call);
  }
  /// Each operation that reads or writes such an array; `other` is used by the last rank.
  void expect_destination(const std::string& rule, const DistArray& other) {
    const DistArray& to = unless_last(target, other);
    expect(rule, [&] { enumerate(to, 0, 1); });
    expect(rule, [&] { scan_copy(source, to, mask); });
    expect(rule, [&] { scan_add(source, to, mask); });
    expect(rule, [&] { pack(source, mask, to); });
    expect(rule, [&] { unpack(few, mask, to); });
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
  const auto same = describe(&one, {even(size)}, std::vector<Index>{0}).on(MPI_COMM_WORLD);
  expect_destination("sparse.strides", same);
  EXPECT_EQ(one, 5);
}

TEST_F(SparseRefusals, MemoryOfADeviceOnOneRank) {
  if (world_size() == 1) return;  // tests/devices tries arrays of a device on all ranks
  const DistArray& plain = target.array();
  const DistArray device = plain.in_space({MemorySpace::cuda, 0});
  const DistArray& from = unless_last(plain, device);
  const auto mixed = [&](const std::function<void()>& call) {
    expect<Malformed>("memory.space", call);
  };
  mixed([&] { scan_add(from, few, mask); });
  mixed([&] { pack(from, mask, few); });
  mixed([&] { packed(from, mask); });
  mixed([&] { unpack(from, mask, source); });
}

TEST_F(SparseRefusals, ElementsOfOtherTypes) {
  Line<float> floats(even(size));
  floats.fill(5);
  const auto before = floats.bytes();
  const DistArray& other = floats;
  const auto refused = [&](const char* rule, const std::function<void(const DistArray&)>& call,
                           const DistArray& usual) {
    expect(rule, 0, [&] { call(other); });
    // On one rank alone, its section does not belong to the array.
    if (world_size() > 1) expect<Malformed>("T16", [&] { call(unless_last(usual, other)); });
  };
  const auto is_type = [&](const std::function<void(const DistArray&)>& call,
                           const DistArray& usual) { refused("sparse.type", call, usual); };
  is_type([&](const DistArray& to) { scan_add(source, to, mask); }, target);
  is_type([&](const DistArray& to) { pack(source, mask, to); }, target);
  is_type([&](const DistArray& from) { unpack(from, mask, target); }, source);
  const auto is_mask = [&](const std::function<void(const DistArray&)>& call) {
    refused("sparse.mask", call, mask);
  };
  is_mask([&](const DistArray& real) { scan_add(source, target, real); });
  is_mask([&](const DistArray& real) { pack(source, real, target); });
  is_mask([&](const DistArray& real) { packed(source, real); });
  is_mask([&](const DistArray& real) { unpack(few, real, target); });
  EXPECT_EQ(floats.bytes(), before);
}

/// On all ranks; on one alone, its section would not belong to the array.
TEST_F(SparseRefusals, AnotherNumberOfElements) {
  Line<double> longer(even(size + 1));
  longer.fill(4);
  const auto before = longer.bytes();
  const auto refused = [&](const std::function<void()>& call) {
    expect("sparse.division", 0, call);
  };
  refused([&] { scan_add(source, longer, mask); });
  refused([&] { scan_copy(longer, target, mask); });
  refused([&] { scan(longer, target, mask, ScanBy::max); });
  refused([&] { pack(longer, mask, target); });
  refused([&] { packed(longer, mask); });
  refused([&] { unpack(few, mask, longer); });
  EXPECT_EQ(longer.bytes(), before);
}

TEST_F(SparseRefusals, ListsThatAreTooShort) {
  Line<double> too_short(dealt(3));
  too_short.fill(6);
  const auto before = too_short.bytes();
  expect("sparse.capacity", nobody, [&] { pack(source, mask, too_short); });
  expect("sparse.capacity", nobody, [&] { unpack(too_short, mask, target); });
  EXPECT_EQ(too_short.bytes(), before);
}

TEST_F(SparseRefusals, TheMaskAsADestinationOnOneRank) {
  Line<std::int32_t> from(even(size)), other(even(size));
  from.fill(1);
  other.fill(2);
  const auto before = other.bytes();
  const DistArray& to = unless_last(other, mask);
  expect("sparse.memory", [&] { scan_add(from, to, mask); });
  expect("sparse.memory", [&] { pack(from, mask, to); });
  expect("sparse.memory", [&] { unpack(from, mask, to); });
  EXPECT_EQ(other.bytes(), before);
}

TEST_F(SparseRefusals, NotDescribedOnOneRank) {
  std::vector<DistArray> undescribed{Section().on(MPI_COMM_WORLD)};
  if (world_size() > 1) undescribed.emplace_back();  // on the only communicator that was used
  for (const DistArray& none : undescribed) {
    const auto other = [&](const DistArray& array) -> const DistArray& {
      return unless_last(array, none);
    };
    const auto refused = [&](const std::function<void()>& call) { expect("array.empty", call); };
    refused([&] { enumerate(other(target), 0, 1); });
    refused([&] { scan_add(other(source), target, mask); });
    refused([&] { scan_add(source, other(target), mask); });
    refused([&] { scan_add(source, target, other(mask)); });
    refused([&] { pack(source, mask, other(few)); });
    refused([&] { pack(source, other(mask), few); });
    refused([&] { unpack(other(few), mask, target); });
    refused([&] { packed(other(source), mask); });
  }
}

TEST_F(SparseRefusals, ArgumentsThatDiffer) {
  if (world_size() == 1) return;
  const auto before = bytes();
  const IndexRange range{0, at_fault ? 5 : 6};
  ScanOptions within, kind, first;
  within.range = range;
  kind.exclusive = at_fault;
  first.before = at_fault ? BeforeFirst::keep : BeforeFirst::zero;
  const auto scan_with = [&](const ScanOptions& options) {
    return [this, options] { scan_add(source, target, mask, options); };
  };
  const char* const stop = "5, and 6 on rank 0";
  expect_different("stop of range", scan_with(within), stop);
  expect_different("exclusive", scan_with(kind), "true, and false on rank 0");
  expect_different("before", scan_with(first));
  expect_different("combine",
                   [&] { scan(source, target, mask, at_fault ? ScanBy::min : ScanBy::max); });
  expect_different(
      "stop of range", [&] { pack(source, mask, few, range); }, stop);
  expect_different(
      "stop of range", [&] { packed(source, mask, range); }, stop);
  expect_different(
      "stop of range", [&] { unpack(few, mask, target, range); }, stop);
  expect("collective.different", last, [&] { enumerate(target, at_fault ? 1 : 2, 1); });
  expect("collective.different", last, [&] { enumerate(target, 1, at_fault ? 0.5 : 0.25); });
  expect_different(
      "range", [&] { enumerate(target, 0, 1, at_fault ? std::nullopt : std::optional(range)); });
  EXPECT_EQ(bytes(), before);
}

/// Numbers of different types are the same if the elements are.
TEST_F(SparseRefusals, NumbersOfDifferentTypes) {
  const Number one = at_fault ? Number(1.0F) : Number(1), two = at_fault ? Number(2U) : Number(2.0);
  enumerate(target, one, two);
  std::vector<double> expected(size);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 1 + 2 * static_cast<double>(i);
  EXPECT_EQ(target.wrong(expected), 0);
}

/// A stride says nothing about a single element.
TEST_F(SparseRefusals, OneElementInPlace) {
  const Dimension each = even(world_size());
  std::vector<std::int64_t> element{world_rank() + 1}, start{world_rank() == 0 ? 1 : 0};
  const auto with_stride = [&](auto& memory, Index stride) {
    return describe(DataType::of<std::int64_t>(), memory.data(), {each}, {stride})
        .on(MPI_COMM_WORLD);
  };
  scan_add(with_stride(element, 8), with_stride(element, 16), with_stride(start, 8));
  EXPECT_EQ(element.front(), (world_rank() + 1) * (world_rank() + 2) / 2);
}

/// The last rank has none of the last indices.
TEST_F(SparseRefusals, SectionsThatAreNoArray) {
  if (world_size() == 1) return;
  const GridPosition grid{world_size(), world_rank()};
  const IndexRange mine = even_block(size, grid);
  std::vector<double> memory(40, 1);
  const auto broken =
      describe(memory.data(), {block(size, grid, at_fault ? IndexRange{size, size} : mine)})
          .on(MPI_COMM_WORLD);
  const auto refused = [&](const std::function<void()>& call) { expect<Malformed>("B09", call); };
  refused([&] { enumerate(broken, 0, 1); });
  refused([&] { pack(source, mask, broken); });
  refused([&] { unpack(broken, mask, target); });
  EXPECT_EQ(memory, std::vector<double>(40, 1));
}

/// An index of the packed array that no process has.
TEST_F(SparseRefusals, ListsWithoutAnIndex) {
  std::vector<Index> indices;
  for (Index i = 0; i < size; ++i)
    if (i != 3 && i % world_size() == world_rank()) indices.push_back(i);
  std::vector<double> memory(indices.size(), 7);
  const auto holes =
      describe(memory,
               {unstructured(size, {world_size(), world_rank()}, IndexList(std::move(indices)))})
          .on(MPI_COMM_WORLD);
  expect("sparse.missing", nobody, [&] { pack(source, mask, holes); });
  expect("sparse.missing", nobody, [&] { unpack(holes, mask, target); });
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
      Section(plain.version(),
              Buffer(plain.type(), plain.local_shape(), plain.byte_strides(), plain.mutable_data(),
                     false, std::make_shared<SharedState>(std::make_unique<Moved>())),
              plain.dimensions()),
      MPI_COMM_WORLD);
  const DistArray& to = unless_last(plain, stale);
  expect<Stale>("stale", [&] { enumerate(to, 0, 1); });
  expect<Stale>("stale", [&] { scan_add(source, to, mask); });
  expect<Stale>("stale", [&] { scan_add(to, source, mask); });
  expect<Stale>("stale", [&] { pack(source, mask, to); });
  expect<Stale>("stale", [&] { unpack(to, mask, source); });
  expect<Stale>("stale", [&] { packed(to, mask); });
}

}  // namespace
