// SPDX-License-Identifier: BSD-3-Clause
// Parts so large that they are written past the caches.

#include <cstdint>
#include <optional>
#include <vector>

#include "sparse/stream.hpp"
#include "statements.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

TEST(SparseStreamed, AnEnumeration) {
  const Index each = static_cast<Index>(detail::streamed_bytes / sizeof(double)) + 1029;
  const Index size = each * world_size();
  Line<double> line(even(size));
  line.fill(-1);
  enumerate(line, 1, 2, IndexRange{1, size});
  std::vector<double> expected(static_cast<std::size_t>(size), -1);
  for (std::size_t i = 1; i < expected.size(); ++i) expected[i] = 2 * static_cast<double>(i) - 1;
  EXPECT_EQ(line.wrong(expected), 0);
  EXPECT_TRUE(line.rest_untouched());
}

/// The first 30000 elements of a rank have no start except on rank 0, then a segment of 10000
/// follows, and then segments of 7.
TEST(SparseStreamed, AScan) {
  const Index each = static_cast<Index>(detail::streamed_bytes / sizeof(double)) + 2053;
  const Index size = each * world_size();
  Line<double> source(even(size)), target(even(size));
  Line<std::int8_t> mask(even(size));
  std::vector<double> values(static_cast<std::size_t>(size));
  std::vector<int> bits(values.size());
  for (Index i = 0; i < size; ++i) {
    const Index local = i % each;
    values[static_cast<std::size_t>(i)] = static_cast<double>(i % 1000);
    if (i == 3 || local == 30000 || (local >= 40000 && local % 7 == 0))
      bits[static_cast<std::size_t>(i)] = 1;
  }
  source.set(values);
  mask.set(std::vector<std::int8_t>(bits.begin(), bits.end()));
  for (const bool leaves_out : {false, true}) {
    target.fill(-1);
    ScanOptions options;
    options.exclusive = leaves_out;
    scan_add(source, target, mask, options);
    const auto expected =
        scanned(values, std::vector<double>(values.size(), -1), bits, {0, size}, BeforeFirst::keep,
                leaves_out ? std::optional<double>(0) : std::nullopt,
                [](double a, double b) { return a + b; });
    EXPECT_EQ(target.wrong(expected), 0) << leaves_out;
    EXPECT_TRUE(target.rest_untouched());
  }
}

}  // namespace
