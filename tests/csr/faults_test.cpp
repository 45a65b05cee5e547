// SPDX-License-Identifier: BSD-3-Clause
// A rank that fails at any point of a call lets all ranks throw.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "../support/everywhere.hpp"
#include "matrices.hpp"

namespace daptor::test {
namespace {

class CsrFaults : public testing::TestWithParam<bool> {
 protected:
  CsrFaults()
      : held(text_matrix(), even_bounds(5), entry_bounds(), 1),
        x(counting(even_bounds(5))),
        y(block_of<double>(all_on(0, 5), [](Index) { return -7; })),
        matrix(held.arrays()) {}

  static Bounds entry_bounds() {
    return GetParam() ? even_bounds(11) : text_matrix().entries_of(even_bounds(5));
  }
  Part<double> held;
  std::vector<double> x, y;
  CsrArrays matrix;
};

TEST_P(CsrFaults, OfAProductAreAgreedBeforeYIsWritten) {
  const DistArray from = in_blocks(x, even_bounds(5)), to = in_blocks(y, all_on(0, 5));
  Faults().expect_agreed([&] { CsrProduct(matrix, from, to); });
  CsrProduct product(matrix, from, to);
  const std::vector<double> before = y;
  Faults().expect_agreed(
      [&] {
        y = before;
        product(from, to);
      },
      [&] { EXPECT_EQ(y, before); });
  EXPECT_EQ((whole<double, double>(to)), text_product);
}

TEST_P(CsrFaults, OfACopyAreAgreed) {
  Faults().expect_agreed([&] { align_rows(matrix); });
  Faults().expect_agreed([&] { align_rows(matrix.values, matrix.columns, matrix.offsets, 5, 1); });
}

TEST_P(CsrFaults, OfAMaskAreAgreed) {
  std::vector<std::int32_t> memory(held.values.size());
  const DistArray mask = describe(memory, matrix.values.dimensions()).on(world());
  Faults().expect_agreed([&] { row_starts(matrix, mask); });
}

TEST_P(CsrFaults, OfRowsAreAgreed) {
  std::vector<std::int64_t> lengths(held.values.size(), 1);
  Faults().expect_agreed([&] { csr_from_rows(held.values, held.columns, lengths, 5, world(), 1); });
}

INSTANTIATE_TEST_SUITE_P(RowsOnOneRankOrSeveral, CsrFaults, testing::Bool());

}  // namespace
}  // namespace daptor::test
