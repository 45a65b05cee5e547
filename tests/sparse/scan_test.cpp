// SPDX-License-Identifier: BSD-3-Clause
// Segmented copies and sums (see statements.hpp).

#include <complex>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "counting_communicator.hpp"
#include "statements.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

TEST(SparseStatements, S1_EachSegmentRepeatsItsFirstValue) {
  Three<int> line;
  line.source.set(copy_source);
  line.masked(copy_mask);
  scan_copy(line.source, line.target, line.mask);
  line.expect(copied);
}

TEST(SparseStatements, S2_ZeroBeforeTheFirstSegment) {
  Three<int> line;
  std::vector<int> bits(17, 0), expected(17, 4);
  scan_copy(line.source, line.target, line.masked(bits).mask);
  line.expect(std::vector<int>(17, 0));
  bits[3] = 1;
  std::fill_n(expected.begin(), 3, 0);
  scan_copy(line.source, line.target, line.masked(bits).mask);
  line.expect(expected);
  line.target.fill(99);
  std::fill_n(expected.begin(), 3, 99);
  ScanOptions options;
  options.before = BeforeFirst::keep;
  scan_copy(line.source, line.target, line.mask, options);
  line.expect(expected);
  options.before = BeforeFirst::refuse;
  line.target.fill(99);
  expect_refused_everywhere<InvalidArgument>(
      "sparse.before", [&] { scan_copy(line.source, line.target, line.mask, options); });
  line.expect(std::vector<int>(17, 99));
  options.range = IndexRange{3, 17};
  scan_copy(line.source, line.target, line.mask, options);
  line.expect(expected);
}

TEST(SparseStatements, S3_AMarkBeforeTheRangeDoesNotCount) {
  Three<int> line;
  std::vector<int> bits(17, 0);
  for (const std::size_t i : {0, 6, 8, 11}) bits[i] = 1;
  scan_copy(line.source, line.target, line.masked(bits).mask, within(4, 13));
  std::vector<int> expected(17, 99);
  const std::vector<int> inside{0, 0, 7, 7, 9, 9, 9, 12, 12};
  std::copy(inside.begin(), inside.end(), expected.begin() + 4);
  line.expect(expected);
}

TEST(SparseStatements, S4_ASegmentOverAllRanks) {
  Three<int> line;
  std::vector<int> bits(17, 0);
  bits[0] = 1;
  scan_copy(line.source, line.target, line.masked(bits).mask);
  line.expect(std::vector<int>(17, 1));
}

TEST(SparseStatements, A1_SumsRestartAtEachMark) {
  Three<int> line;
  scan_add(line.source, line.target, line.masked(add_mask).mask);
  line.expect(added);
}

TEST(SparseStatements, A2_ExclusiveSums) {
  Three<double> line;
  scan_add(line.source, line.target, line.masked(add_mask).mask, exclusive());
  line.expect(added_before);
}

TEST(SparseStatements, A3_NothingIsWrittenBeforeTheFirstMark) {
  for (const bool leaves_out : {false, true}) {
    Three<int> line;
    ScanOptions options;
    options.exclusive = leaves_out;
    std::vector<int> bits(17, 0);
    scan_add(line.source, line.target, line.masked(bits).mask, options);
    line.expect(std::vector<int>(17, 99));
    bits[3] = 1;
    scan_add(line.source, line.target, line.masked(bits).mask, options);
    std::vector<int> expected(17, 99);
    for (int i = 3, sum = 0; i < 17; ++i) {
      expected[static_cast<std::size_t>(i)] = leaves_out ? sum : sum + i + 1;
      sum += i + 1;
    }
    line.expect(expected);
    options.before = BeforeFirst::zero;
    scan_add(line.source, line.target, line.mask, options);
    std::fill_n(expected.begin(), 3, 0);
    line.expect(expected);
  }
}

TEST(SparseStatements, A4_SumsCrossRanks) {
  Three<std::int64_t> line(even(400));
  std::vector<int> bits(400, 0), expected(400);
  bits[0] = 1;
  for (int i = 0, sum = 0; i < 400; ++i) expected[static_cast<std::size_t>(i)] = sum += i + 1;
  scan_add(line.source, line.target, line.masked(bits).mask);
  line.expect(expected);
}

/// Where a rank continues a segment, it adds its elements one after another to what the lower ranks
/// have combined. SparseOracle.InexactSums has the bound.
TEST(SparseStatements, A5_FloatingPointSumsContinueWhatLowerRanksHaveCombined) {
  const double big = 9007199254740992;  // 2^53: adding 0.75 is lost, adding 1.5 gives 2 more
  const Index size = 2 * world_size();
  Line<double> source(even(size)), target(even(size));
  Line<std::int32_t> mask(even(size));
  std::vector<double> values(static_cast<std::size_t>(size), 0.75);
  std::vector<int> bits(values.size(), 0);
  values[0] = big;
  bits[0] = 1;
  source.set(values);
  mask.set(bits);
  target.fill(0);
  scan_add(source, target, mask);
  target.for_each([&](Index i, std::byte* at) {
    double value = 0;
    std::memcpy(&value, at, sizeof value);
    if (i < 6) {
      EXPECT_EQ(value, i < 4 ? big : big + 2) << i;  // rank 1 passes on the sum 1.5
    }
  });
}

/// The text's construction of row offsets: (1, 2, 2, 2, 3, 2) with one mark at the beginning.
TEST(SparseStatements, A7_OffsetsFromCounts) {
  Three<int> line(even(6));
  line.source.set({1, 2, 2, 2, 3, 2});
  scan_add(line.source, line.target, line.masked({1, 0, 0, 0, 0, 0}).mask);
  line.expect({1, 3, 5, 7, 10, 12});
}

/// Copies by their name are scan_copy: they write zero before the first segment. Elements may have
/// any size.
TEST(SparseScan, CopiesByName) {
  using C = std::complex<long double>;
  const Index size = 5 * world_size();
  Three<C> line(even(size));
  std::vector<int> bits(static_cast<std::size_t>(size), 0);
  bits[2] = 1;
  line.masked(bits);
  std::vector<C> values;
  for (Index i = 0; i < size; ++i) values.emplace_back(static_cast<long double>(i), 4);
  line.source.set(values);
  std::vector<C> expected(bits.size(), C(2, 4));
  expected[0] = expected[1] = 0;
  for (const bool by_name : {false, true}) {
    line.target.fill(99);
    if (by_name)
      scan(line.source, line.target, line.mask, ScanBy::copy);
    else
      scan_copy(line.source, line.target, line.mask);
    EXPECT_EQ(line.target.unequal(expected), 0) << by_name;
    EXPECT_TRUE(line.target.rest_untouched());
  }
}

TEST(SparseScan, TheSignOfAZeroStays) {
  Three<double> line(even(3 * world_size()));
  line.source.fill(-0.0);
  line.mask.fill(1);
  scan_add(line.source, line.target, line.mask);
  const std::vector<double> zeros(static_cast<std::size_t>(line.source.size()), -0.0);
  EXPECT_EQ(line.target.wrong(zeros), 0);
}

/// Beside the agreements, one short message for each doubling of the distance.
TEST(SparseScan, SendsLogarithmicallyManyShortMessages) {
  Three<double> line;
  line.mask.fill(1);
  const CountingCommunicator counting(world());
  const auto add = [&] {
    scan_add(line.source.on(counting), line.target.on(counting), line.mask.on(counting));
  };
  add();
  counting.traffic = {};  // the arrays' proofs are kept
  add();
  int doublings = 0;
  for (int distance = 1; distance < world_size(); distance *= 2) ++doublings;
  EXPECT_EQ(counting.traffic.sendrecvs, doublings);
  EXPECT_LE(counting.traffic.longest_message, 64U);
  EXPECT_EQ(counting.traffic.allreduces, 2);
  EXPECT_EQ(counting.traffic.exchanges, 0);
  EXPECT_EQ(counting.traffic.broadcasts, 0);
}

}  // namespace
