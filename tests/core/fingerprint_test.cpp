// SPDX-License-Identifier: BSD-3-Clause
// Fingerprints on simulated ranks; tests/python/tracing_test.py compares them with NumPy's sums in
// every kind of layout.

#include "daptor/fingerprint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "daptor/adapter/fingerprint.hpp"
#include "daptor/adapter/json_line.hpp"
#include "daptor/builders.hpp"
#include "daptor/local_index_map.hpp"
#include "daptor/simulated.hpp"

namespace daptor {
namespace {

/// Numbers whose sum a plain loop gets wrong: large ones that cancel, and small ones.
template <class T>
T element(Index i) {
  const double large = i % 2 == 0 ? 1e12 : -1e12;
  if constexpr (std::is_class_v<T>)
    return {large + 0.1 * static_cast<double>(i), static_cast<double>(i % 7)};
  else
    return static_cast<T>(large + 0.1 * static_cast<double>(i));
}

template <class T>
Fingerprint print_on(int ranks, Index rows, Index columns) {
  Fingerprint print;
  run_simulated(ranks, [&](const Comm& comm) {
    const auto rank = static_cast<Index>(comm.rank());
    const Dimension divided = block(rows, GridPosition{ranks, rank});
    const std::vector<Dimension> dimensions{divided, undistributed(columns)};
    const LocalIndexMap map(dimensions);
    std::vector<T> memory(static_cast<std::size_t>(divided.local_extent() * columns));
    for (Index r = 0; r < divided.local_extent(); ++r)
      for (Index c = 0; c < columns; ++c)
        memory[static_cast<std::size_t>(r * columns + c)] =
            element<T>(map.natural_of({LocalDimensionMap(divided).global_of(r), c}));
    const Fingerprint own = fingerprint(describe(memory, dimensions).on(comm));
    if (rank == ranks - 1) print = own;  // the same on all of them
  });
  return print;
}

template <class T>
void expect_alike() {
  const Fingerprint one = print_on<T>(1, 40, 25);
  EXPECT_EQ(one.count, 1000);
  for (const int ranks : {2, 3, 7}) {
    const Fingerprint several = print_on<T>(ranks, 40, 25);
    const double rounding = 64 * std::numeric_limits<double>::epsilon() * one.magnitudes;
    EXPECT_LE(std::abs(one.sum - several.sum), rounding);
    EXPECT_LE(std::abs(one.mixed - several.mixed), rounding);
    EXPECT_NEAR(one.norm, several.norm, 1e-14 * one.norm);
    EXPECT_EQ(one.greatest.value, several.greatest.value);
    EXPECT_EQ(one.greatest.place, several.greatest.place);
    EXPECT_EQ(one.least.place, several.least.place);
    EXPECT_EQ(one.largest.place, several.largest.place);
  }
}

TEST(Fingerprint, DoesNotDependOnTheNumberOfRanks) {
  expect_alike<double>();
  expect_alike<std::complex<double>>();
}

TEST(Fingerprint, OfEqualExtremesTheFirstCounts) {
  run_simulated(3, [](const Comm& comm) {
    std::vector<double> memory(4, 2.0);
    const auto dimension = block(12, GridPosition{3, comm.rank()});
    const Fingerprint print = fingerprint(describe(memory, {dimension}).on(comm));
    EXPECT_EQ(print.least.place, std::vector<Index>{0});
    EXPECT_EQ(print.greatest.place, std::vector<Index>{0});
  });
}

TEST(Fingerprint, TheLargestOfComplexNumbers) {
  constexpr std::size_t count = adapter::FingerprintSum::block;
  for (std::size_t wanted = 0; wanted + 1 < count; wanted += 5) {
    std::vector<double> real, imaginary;
    std::vector<std::uint64_t> keys;
    for (std::size_t i = 0; i < count; ++i) {
      const double angle = static_cast<double>(i * count + wanted);
      const double size = i == wanted ? 1.5 : 1;
      real.push_back(size * std::cos(angle));
      imaginary.push_back(size * std::sin(angle));
      keys.push_back(adapter::FingerprintSum::key(static_cast<Index>(i)));
    }
    adapter::FingerprintSum sum;
    sum.take(real.data(), imaginary.data(), keys.data(), count, [](std::size_t i) {
      return adapter::ElementPlace{static_cast<Index>(i), 0};
    });
    EXPECT_EQ(sum.result(1).largest.place, std::vector<Index>{static_cast<Index>(wanted)});
  }
}

TEST(Fingerprint, NoElements) {
  run_simulated(2, [](const Comm& comm) {
    std::vector<double> memory;
    const auto dimension = block(0, GridPosition{2, comm.rank()});
    const Fingerprint print = fingerprint(describe(memory, {dimension}).on(comm));
    EXPECT_EQ(print.count, 0);
    EXPECT_TRUE(print.largest.place.empty());
  });
}

TEST(Fingerprint, SumsKeepWhatTheirRoundingLoses) {
  // The sum of 1, 1e100, 1, -1e100 is 2.
  adapter::CompensatedSum sum;
  for (const double x : {1.0, 1e100, 1.0, -1e100}) sum.add(x);
  EXPECT_EQ(sum.total(), 2);
}

TEST(JsonLine, WritesAnyTextAndNumber) {
  adapter::JsonLine line;
  line.text("name", "a \"b\" \\ \n \xff").number("inf", -std::numeric_limits<double>::infinity());
  line.list("at", {3, 4}).truth("yes", true);
  EXPECT_EQ(line.str(),
            R"({"name": "a \"b\" \\ \\x0a \\xff", "inf": "-inf", "at": [3, 4], "yes": true})");
}

}  // namespace
}  // namespace daptor
