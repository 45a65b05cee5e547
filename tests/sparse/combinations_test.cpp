// SPDX-License-Identifier: BSD-3-Clause
// Scans by other combinations than sums (see statements.hpp).

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "statements.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

template <class T>
T product(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    // Narrow unsigned types would be promoted to int, whose products may overflow.
    using U = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
    return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
  } else {
    return a * b;
  }
}

/// What one process computes by a loop; elements before the first segment are 9.
template <class T>
std::vector<T> scanned_by(ScanBy how, const std::vector<T>& values, const std::vector<int>& bits,
                          bool leaves_out) {
  const auto result = [&](T identity, const auto& combine) {
    return scanned(values, std::vector<T>(values.size(), T(9)), bits,
                   {0, static_cast<Index>(values.size())}, BeforeFirst::keep,
                   leaves_out ? std::optional<T>(identity) : std::nullopt, combine);
  };
  if (how == ScanBy::multiply) return result(T(1), product<T>);
  if (how == ScanBy::sum) return result(T(0), [](T a, T b) { return static_cast<T>(a + b); });
  if constexpr (std::is_arithmetic_v<T>) {
    using Limits = std::numeric_limits<T>;
    constexpr T most = Limits::has_infinity ? Limits::infinity() : Limits::max();
    constexpr T least = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    if (how == ScanBy::min) return result(most, [](T a, T b) { return std::min(a, b); });
    if (how == ScanBy::max) return result(least, [](T a, T b) { return std::max(a, b); });
  }
  ADD_FAILURE() << "no such scan";
  return values;
}

/// Compares a scan with a loop on one process. The segments have lengths up to 90, in any order.
template <class T>
void expect_scan(ScanBy how, const std::vector<T>& values) {
  const auto size = static_cast<Index>(values.size());
  std::vector<int> bits(values.size(), 0);
  for (std::size_t i = 3; i < bits.size(); i += 1 + i % 90) bits[i] = 1;
  Three<T> line(even(size));
  line.source.set(values);
  line.masked(bits);
  for (const bool leaves_out : {false, true}) {
    line.target.fill(T(9));
    ScanOptions options;
    options.exclusive = leaves_out;
    scan(line.source, line.target, line.mask, how, options);
    EXPECT_EQ(line.target.wrong(scanned_by(how, values, bits, leaves_out)), 0)
        << DataType::of<T>().name() << ", combination " << static_cast<int>(how) << ", exclusive "
        << leaves_out;
    EXPECT_TRUE(line.target.rest_untouched());
  }
}

/// Long enough for loops that take several elements at once.
template <class T>
void expect_long_scans() {
  std::vector<T> values;
  for (int i = 0; i < 700 * world_size(); ++i) values.push_back(static_cast<T>(i * 37 % 101 - 50));
  expect_scan(ScanBy::min, values);
  expect_scan(ScanBy::max, values);
  // Halves and signs multiply exactly.
  if constexpr (!std::is_integral_v<T>)
    for (T& each : values) each = each < 0 ? T(-1) : T(0.5);
  expect_scan(ScanBy::multiply, values);
}

TEST(SparseScan, LongPartsOfEachTypeByEachCombination) {
  expect_long_scans<std::int8_t>();
  expect_long_scans<std::uint16_t>();
  expect_long_scans<std::int32_t>();
  expect_long_scans<std::uint64_t>();
  expect_long_scans<float>();
  expect_long_scans<double>();
}

TEST(SparseScan, ProductsOfComplexNumbers) {
  using C = std::complex<double>;
  const std::vector<C> turns{{0, 1}, {0, -1}, {-1, 0}};
  std::vector<C> values;
  for (int i = 0; i < 300 * world_size(); ++i)
    values.push_back(turns[static_cast<std::size_t>(i) % 3]);
  expect_scan(ScanBy::multiply, values);
}

/// Among the elements that a loop takes together, NaN may be any.
TEST(SparseScan, MinimaAndMaximaOfNan) {
  const Index size = 4 * world_size();
  std::vector<int> bits(static_cast<std::size_t>(size), 0);
  bits[0] = 1;
  for (const ScanBy how : {ScanBy::min, ScanBy::max})
    for (std::size_t bad = 0; bad < 4; ++bad) {
      Three<double> line(even(size));
      std::vector<double> values{3, 1, 4, 2};
      values.resize(bits.size(), 5);
      values[bad] = std::numeric_limits<double>::quiet_NaN();
      line.source.set(values);
      scan(line.source, line.target, line.masked(bits).mask, how);
      line.target.for_each([&](Index i, std::byte* at) {
        double value = 0;
        std::memcpy(&value, at, sizeof value);
        EXPECT_EQ(std::isnan(value), i >= static_cast<Index>(bad)) << i << " with NaN at " << bad;
      });
    }
}

TEST(SparseStatements, A6_NanStaysInItsSegment) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity})
    for (const ScanBy how : {ScanBy::sum, ScanBy::multiply, ScanBy::min, ScanBy::max})
      for (const bool leaves_out : {false, true})
        for (Index edge = 1; edge < 17; ++edge) {
          Three<double> line;
          std::vector<double> values(copy_source.begin(), copy_source.end());
          std::fill_n(values.begin(), edge, bad);
          line.source.set(values);
          std::vector<int> bits(17, 0);
          bits[0] = bits[static_cast<std::size_t>(edge)] = 1;
          ScanOptions options;
          options.exclusive = leaves_out;
          scan(line.source, line.target, line.masked(bits).mask, how, options);
          const auto expected = scanned_by(how, values, bits, leaves_out);
          line.target.for_each([&](Index i, std::byte* at) {
            double value = 0;
            std::memcpy(&value, at, sizeof value);
            if (i >= edge) {
              EXPECT_EQ(value, expected[static_cast<std::size_t>(i)]) << i << " after " << edge;
            } else if (i > 0 && std::isnan(bad)) {
              EXPECT_TRUE(std::isnan(value)) << i;
            }
          });
        }
}

TEST(SparseStatements, A8_OtherCombinations) {
  Three<int> line;
  line.masked(add_mask);
  const auto check = [&](const Combination& how, const auto& combine, int first) {
    for (const bool leaves_out : {false, true}) {
      ScanOptions options;
      options.exclusive = leaves_out;
      line.target.fill(99);
      scan(line.source, line.target, line.mask, how, options);
      line.expect(scanned(copy_source, std::vector<int>(17, 99), add_mask, {0, 17},
                          BeforeFirst::keep, leaves_out ? std::optional<int>(first) : std::nullopt,
                          combine));
    }
  };
  line.source.set(copy_source);
  check(
      ScanBy::sum, [](int a, int b) { return a + b; }, 0);
  check(
      ScanBy::multiply, [](int a, int b) { return a * b; }, 1);
  check(
      ScanBy::min, [](int a, int b) { return std::min(a, b); }, std::numeric_limits<int>::max());
  check(
      ScanBy::max, [](int a, int b) { return std::max(a, b); }, std::numeric_limits<int>::lowest());
  const auto second = [](int, int b) { return b; };
  check(Combination::of<int>(second, 4), second, 4);

  const Combination no_identity = Combination::of<int>(second);
  expect_refused_everywhere<InvalidArgument>("sparse.options", [&] {
    scan(line.source, line.target, line.mask, no_identity, exclusive());
  });
  expect_refused_everywhere<InvalidArgument>(
      "sparse.options", [&] { scan_copy(line.source, line.target, line.mask, exclusive()); });
  expect_refused_everywhere<InvalidArgument>("sparse.type", [&] {
    scan(line.source, line.target, line.mask,
         Combination::of<double>([](double a, double) { return a; }));
  });
  // A function that throws on one rank, at the element with index 7.
  line.source.set(counted(17));
  int culprit = 0;
  while (!even_block(17, {world_size(), culprit}).contains(7)) ++culprit;
  const std::string text = expect_refused_everywhere<LibraryFailed>(
      "library.c++",
      [&] {
        scan(line.source, line.target, line.mask, Combination::of<int>([](int a, int b) {
               if (b == 8) throw std::runtime_error("eight");
               return a;
             }));
      },
      culprit);
  EXPECT_NE(text.find("eight"), std::string::npos) << text;

  Three<bool> bools;
  bools.masked({1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0});
  std::vector<bool> values(17, false), expected(17, false);
  values[3] = values[9] = true;
  bools.source.for_each([&](Index i, std::byte* at) {
    *at = std::byte{static_cast<unsigned char>(values[static_cast<std::size_t>(i)])};
  });
  scan(bools.source, bools.target, bools.mask, ScanBy::max);
  bools.target.for_each([&](Index i, std::byte* at) {
    EXPECT_EQ(static_cast<int>(*at), (i >= 3 && i < 8) || i >= 9 ? 1 : 0) << i;
  });
}

}  // namespace
