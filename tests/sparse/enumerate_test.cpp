// SPDX-License-Identifier: BSD-3-Clause
// The numbers that enumerate writes (see statements.hpp).

#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "counting_communicator.hpp"
#include "statements.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

TEST(SparseStatements, E1_StartAndStride) {
  Line<int> line(even(17));
  line.fill(0);
  enumerate(line, 1, 1);
  EXPECT_EQ(line.wrong(counted(17)), 0);
  line.fill(0);
  enumerate(line, 7, 2, IndexRange{4, 17});
  std::vector<int> expected(17, 0);
  for (int i = 4; i < 17; ++i) expected[static_cast<std::size_t>(i)] = 7 + 2 * (i - 4);
  EXPECT_EQ(line.wrong(expected), 0);
}

TEST(SparseStatements, E2_NumbersOfTheElementTypeWithoutARunningSum) {
  Line<float> floats(even(17));
  floats.fill(0);
  enumerate(floats, 0.5, 0.25);
  std::vector<float> quarters;
  for (int i = 0; i < 17; ++i) quarters.push_back(0.5f + 0.25f * static_cast<float>(i));
  EXPECT_EQ(floats.wrong(quarters), 0);
  Line<double> tenths(even(101));
  tenths.fill(0);
  enumerate(tenths, 0.0, 0.1);
  std::vector<double> products;
  for (int i = 0; i < 101; ++i) products.push_back(0.0 + i * 0.1);
  EXPECT_EQ(tenths.wrong(products), 0);
  using C = std::complex<double>;
  Line<C> complex(even(4));
  complex.fill({0, 0});
  enumerate(complex, C(1, 2), C(1, -1));
  EXPECT_EQ(complex.wrong({C(1, 2), C(2, 1), C(3, 0), C(4, -1)}), 0);

  Line<std::uint8_t> bytes(even(5));
  bytes.fill(3);
  const auto refused = [&](const Number& start, const Number& stride) {
    expect_refused_everywhere<InvalidArgument>("sparse.number",
                                               [&] { enumerate(bytes, start, stride); });
    EXPECT_EQ(bytes.wrong(std::vector<std::uint8_t>(5, 3)), 0);
  };
  refused(256, 1);
  refused(0, 0.5);
  refused(0, std::numeric_limits<double>::quiet_NaN());
  refused(C(1, 0), 1);
  refused(-129, 0);
  enumerate(bytes, 4.0, -1);
  EXPECT_EQ(bytes.wrong({4, 3, 2, 1, 0}), 0);
}

/// Multiplied, rounded and added, also where the processor has an instruction for both without the
/// rounding between them.
TEST(SparseEnumerate, RoundsTheProduct) {
  Line<double> line(even(1001));
  line.fill(0);
  enumerate(line, 0.1, 0.7);
  std::vector<double> expected;
  for (int i = 0; i < 1001; ++i) {
    const volatile double product = i * 0.7;
    expected.push_back(0.1 + product);
  }
  EXPECT_EQ(line.wrong(expected), 0);
}

TEST(SparseEnumerate, LongDoublesThatDifferBeyondADouble) {
  if (world_size() == 1) return;
  using Limits = std::numeric_limits<long double>;
  Line<long double> line(even(5));
  line.fill(3);
  const auto before = line.bytes();
  const bool last = world_rank() == world_size() - 1;
  for (const long double other : {Limits::max() / 2, Limits::max() * (1 - Limits::epsilon())})
    expect_refused_everywhere<InvalidArgument>(
        "collective.different", [&] { enumerate(line, last ? other : Limits::max(), 0); },
        world_size() - 1);
  EXPECT_EQ(line.bytes(), before);
}

/// An integer that would be rounded, and a number beyond the largest one.
TEST(SparseEnumerate, NumbersThatAFloatingTypeDoesNotHave) {
  const auto refused = [](auto& line, const Number& start, const Number& stride) {
    line.fill(3);
    const auto before = line.bytes();
    expect_refused_everywhere<InvalidArgument>(
        "sparse.number", [&] { enumerate(line, start, stride); }, 0);
    EXPECT_EQ(line.bytes(), before);
  };
  Line<float> floats(even(5));
  refused(floats, (1 << 24) + 1, 1);
  refused(floats, 0, 1e300);
  Line<double> doubles(even(5));
  refused(doubles, (std::int64_t{1} << 53) + 1, 1);
  refused(doubles, std::numeric_limits<std::uint64_t>::max(), 1);
  refused(doubles, std::numeric_limits<std::int64_t>::max(), 1);
  Line<std::complex<float>> complex(even(5));
  refused(complex, std::complex<double>(1, 1e300), 1);
  // Rounded, and exact.
  enumerate(floats, 0.1, 1 << 24);
  EXPECT_EQ(floats.wrong(
                {0.1F, 0.1F + 16777216.F, 0.1F + 33554432.F, 0.1F + 50331648.F, 0.1F + 67108864.F}),
            0);
  enumerate(doubles, std::numeric_limits<std::int64_t>::min(), 0);
  EXPECT_EQ(doubles.wrong(std::vector<double>(5, -9223372036854775808.)), 0);
}

TEST(SparseStatements, E3_IntegersWrapAround) {
  Line<std::int32_t> line(even(4));
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  line.fill(0);
  enumerate(line, most, 1);
  EXPECT_EQ(line.wrong({most, -most - 1, -most, -most + 1}), 0);
  enumerate(line, 10, -4);
  EXPECT_EQ(line.wrong({10, 6, 2, -2}), 0);
  enumerate(line, 10, 0);
  EXPECT_EQ(line.wrong({10, 10, 10, 10}), 0);
  Line<std::uint16_t> small(even(3));
  small.fill(0);
  enumerate(small, 65535, 65535);
  EXPECT_EQ(small.wrong({65535, 65534, 65533}), 0);
  Line<std::uint64_t> large(even(2));
  large.fill(0);
  enumerate(large, std::numeric_limits<std::uint64_t>::max(), 2);
  EXPECT_EQ(large.wrong({std::numeric_limits<std::uint64_t>::max(), 1}), 0);
}

TEST(SparseStatements, E4_NothingIsCommunicatedBesidesAgreements) {
  Line<double> line(even(17));
  line.fill(0);
  const CountingCommunicator counting(world());
  enumerate(line.on(counting), 0, 1);
  EXPECT_EQ(counting.traffic.allreduces, 2);
  EXPECT_EQ(counting.traffic.calls(), 2);
}

}  // namespace
