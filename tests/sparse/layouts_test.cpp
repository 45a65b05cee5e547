// SPDX-License-Identifier: BSD-3-Clause
// Layouts of the operands, and sizes of all magnitudes (see statements.hpp).

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "statements.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

TEST(SparseStatements, G5_ElementsOutsideTheRangeAndPaddingStay) {
  const Dimension padded = block(17, {world_size(), world_rank()}, BlockPadding({1, 1}));
  Three<int> line(padded);
  line.masked(add_mask);
  scan_add(line.source, line.target, line.mask, within(6, 11));
  auto expected = std::vector<int>(17, 99);
  std::copy(added.begin() + 6, added.begin() + 11, expected.begin() + 6);
  line.expect(expected);
}

TEST(SparseStatements, G6_OtherDivisionsAreRefusedWithTheCopyNamed) {
  if (world_size() == 1) return;
  Three<int> line;
  Line<std::int32_t> mask(Division::all_at(0, 17).here());
  Line<std::int32_t> longer(even(18));
  mask.set(add_mask);
  longer.fill(1);
  const auto text = expect_refused<InvalidArgument>(
      "sparse.division", [&] { scan_add(line.source, line.target, mask); });
  EXPECT_NE(text.find("daptor::redistribute(mask, copy)"), std::string::npos) << text;
  expect_refused_everywhere<InvalidArgument>("sparse.division",
                                             [&] { pack(line.source, longer, line.target); });
  line.expect(std::vector<int>(17, 99));
  // The copy that the message names is accepted.
  const DistArray copy =
      allocate(mask.array().type(), line.source.array().dimensions()).on(world());
  redistribute(mask, copy);
  scan_add(line.source, line.target, copy);
  line.expect(added);
}

TEST(SparseStatements, G8_FewerElementsThanRanks) {
  for (int size = 0; size <= 9; ++size) {
    Three<int> line(even(size));
    std::vector<int> bits(static_cast<std::size_t>(size), 0);
    if (size > 0) bits[0] = 1;
    line.masked(bits);
    scan_add(line.source, line.target, line.mask);
    auto expected = counted(size);
    std::partial_sum(expected.begin(), expected.end(), expected.begin());
    line.expect(expected);
    scan_copy(line.source, line.target, line.mask);
    line.expect(std::vector<int>(static_cast<std::size_t>(size), 1));
    const DistArray one = packed(line.source, line.mask);
    EXPECT_EQ(one.dimension(0).global_size(), size > 0 ? 1 : 0);

    // The last element instead of the first.
    if (size > 0) std::swap(bits.front(), bits.back());
    line.masked(bits).target.fill(99);
    const Index count = size > 0 ? 1 : 0;
    EXPECT_EQ(pack(line.source, line.mask, line.target), count);
    std::vector<int> front(static_cast<std::size_t>(size), 99);
    if (size > 0) front.front() = size;
    line.expect(front);
    EXPECT_EQ(unpack(line.target, line.mask, line.source), count);
    EXPECT_EQ(line.source.wrong(counted(size)), 0);
    enumerate(line.target, size, -1);
    auto falling = counted(size);
    std::reverse(falling.begin(), falling.end());
    line.expect(falling);
  }
}

TEST(SparseStatements, G9_EachLayoutGivesTheSameAnswerOrIsRefused) {
  const GridPosition grid{world_size(), world_rank()};
  for (const Dimension& dimension : {even(17), cyclic(17, grid, 2), cyclic(17, grid), dealt(17),
                                     Division::all_at(world_size() / 2, 17).here()}) {
    Line<int> line(dimension);
    line.fill(0);
    enumerate(line, 1, 1);
    EXPECT_EQ(line.wrong(counted(17)), 0) << dimension;
  }
  for (const Dimension& dimension : {cyclic(17, grid, 2), dealt(17)}) {
    Three<int> line(dimension);
    line.masked(add_mask);
    const auto refused = [&](const std::function<void()>& call) {
      expect_refused_everywhere<InvalidArgument>("sparse.order", call);
      line.expect(std::vector<int>(17, 99));
    };
    refused([&] { scan_add(line.source, line.target, line.mask); });
    refused([&] { scan_copy(line.source, line.target, line.mask); });
    refused([&] { pack(line.source, line.mask, line.target); });
    refused([&] { unpack(line.source, line.mask, line.target); });
    const auto text =
        expect_refused("sparse.order", [&] { scan_add(line.source, line.target, line.mask); });
    EXPECT_NE(text.find("daptor::redistributed(source, daptor::layout::natural())"),
              std::string::npos)
        << text;
  }
  // Ranks in the opposite order.
  Division backwards = Division::even(17);
  std::reverse(backwards.position.begin(), backwards.position.end());
  Three<int> line(backwards.here());
  line.masked(add_mask);
  scan_add(line.source, line.target, line.mask);
  line.expect(added);
}

/// Rank 0 has 2^40 elements, all of them in the same memory; the others have another value.
TEST(SparseStatements, G10_PositionsHave64Bits) {
  constexpr Index many = Index{1} << 40;
  const Index rest = 20;
  const Index size = many + rest * (world_size() - 1);
  const IndexRange mine =
      world_rank() == 0 ? IndexRange{0, many}
                        : IndexRange{many + rest * (world_rank() - 1), many + rest * world_rank()};
  std::int32_t one = 1;
  std::int64_t value = 7 + world_rank();
  const auto same = [&](auto& element) {
    return describe(&element, {block(size, {world_size(), world_rank()}, mine)},
                    std::vector<Index>{0})
        .on(world());
  };
  Line<std::int64_t> few(even(60));
  few.fill(0);
  const IndexRange end{many - 30, std::min(size, many + 5)};
  EXPECT_EQ(pack(same(value), same(one), few, end), end.size());
  std::vector<std::int64_t> expected(60, 0);
  std::fill_n(expected.begin(), end.size(), 8);
  std::fill_n(expected.begin(), 30, 7);
  EXPECT_EQ(few.wrong(expected), 0);

  std::vector<std::int64_t> memory(3);
  const auto list =
      describe(memory, {unstructured(size, {world_size(), world_rank()},
                                     IndexList(std::vector<Index>{many - 3, many - 2, many - 1}))})
          .on(world());
  enumerate(list, 5, 3);
  EXPECT_EQ(memory, (std::vector<std::int64_t>{5 + 3 * (many - 3), 5 + 3 * (many - 2),
                                               5 + 3 * (many - 1)}));
}

}  // namespace
