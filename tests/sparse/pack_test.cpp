// SPDX-License-Identifier: BSD-3-Clause
// Packed arrays (see statements.hpp).

#include <algorithm>
#include <string>
#include <vector>

#include "sparse/packed_run.hpp"
#include "statements.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

TEST(SparseStatements, P2_PackedValuesBeginAtZero) {
  Three<int> line;
  EXPECT_EQ(pack(line.source, line.masked(pack_mask).mask, line.target, IndexRange{5, 15}), 4);
  std::vector<int> expected(17, 99);
  std::copy(pack_values.begin() + 1, pack_values.end(), expected.begin());
  line.expect(expected);
}

TEST(SparseStatements, P3_ElementsBehindThePackedOnesStay) {
  Three<int> line;
  pack(line.source, line.masked(pack_mask).mask, line.target);
  std::vector<int> expected(17, 99);
  std::copy(pack_values.begin(), pack_values.end(), expected.begin());
  line.expect(expected);
}

TEST(SparseStatements, P4_CapacityIsProvenBeforeAnyElementMoves) {
  Three<int> line;
  Line<int> few(even(4));
  few.fill(9);
  const std::string text = expect_refused_everywhere<InvalidArgument>(
      "sparse.capacity", [&] { pack(line.source, line.masked(pack_mask).mask, few); });
  EXPECT_EQ(few.wrong({9, 9, 9, 9}), 0);
  for (const char* part :
       {"a destination of 4 elements for 5 set elements of the mask", "at least 5 elements"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(SparseStatements, P1_P5_MarkedValuesInOrderInADestinationOfAnyDivision) {
  for (const Dimension& dimension : divisions_of_packed(7)) {
    Three<int> line;
    Line<int> few(dimension, {2, true});
    few.fill(9);
    EXPECT_EQ(pack(line.source, line.masked(pack_mask).mask, few), 5);
    EXPECT_EQ(few.wrong({1, 6, 8, 11, 15, 9, 9}), 0) << dimension;
    EXPECT_TRUE(few.rest_untouched());
  }
}

TEST(SparseStatements, P6_NoMarks) {
  Three<int> line;
  for (const Dimension& dimension : divisions_of_packed(7)) {
    Line<int> few(dimension);
    few.fill(9);
    EXPECT_EQ(pack(line.source, line.masked(std::vector<int>(17, 0)).mask, few), 0);
    EXPECT_EQ(few.wrong(std::vector<int>(7, 9)), 0);
  }
  EXPECT_EQ(packed(line.source, line.mask).dimension(0).global_size(), 0);
}

TEST(SparseStatements, P7_CountsHave64Bits) {
  constexpr Index each = Index{1} << 33;
  const auto line = detail::RankLine::of_ranks(world(), 1);
  const auto packed = detail::PackedRun::of(line, each, world());
  EXPECT_EQ(packed.total, each * world_size());
  EXPECT_EQ(packed.run, (IndexRange{each * world_rank(), each * (world_rank() + 1)}));
}

TEST(SparseStatements, P8_PackedAllocates) {
  Three<int> line;
  const DistArray made = packed(line.source, line.masked(pack_mask).mask);
  require_consistent(made);
  EXPECT_EQ(made.dimension(0).global_size(), 5);
  const IndexRange mine = even_block(5, {world_size(), world_rank()});
  ASSERT_EQ(made.owned_count(), mine.size());
  const auto view = daptor::view<const int, 1>(made);
  for (Index i = 0; i < mine.size(); ++i)
    EXPECT_EQ(view(i), pack_values[static_cast<std::size_t>(mine.start + i)]);
}

}  // namespace
