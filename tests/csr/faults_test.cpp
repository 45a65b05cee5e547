// SPDX-License-Identifier: BSD-3-Clause
// A rank that fails at any point of a call lets all ranks throw.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
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
  /// All ranks pass these points; where rows lie on several ranks, also those at which their
  /// positions are sent.
  static void expect_agreed_at(std::set<std::string> points, const std::function<void()>& call) {
    if (entry_bounds() != text_matrix().entries_of(even_bounds(5)))
      points.insert({"csr.rows", "csr.rows-received"});
    Faults({"csr."}).expect_agreed_at(points, call);
  }

  Part<double> held;
  std::vector<double> x, y;
  CsrArrays matrix;
};

TEST_P(CsrFaults, OfAProductAreAgreedBeforeYIsWritten) {
  const DistArray from = in_blocks(x, even_bounds(5)), to = in_blocks(y, all_on(0, 5));
  expect_agreed_at({"csr.description", "csr.offsets", "csr.operands", "csr.plan", "csr.bind"},
                   [&] { CsrProduct(matrix, from, to, world()); });
  CsrProduct product(matrix, from, to, world());
  for (int rank = 0; rank < world_size(); ++rank)
    expect_fault_agreed("csr.run", rank, [&] { product(from, to); });
  for (const double each : y) EXPECT_EQ(each, -7);
  product.run();
  EXPECT_EQ((whole<double, double>(to)), text_product);
}

TEST_P(CsrFaults, OfACopyAreAgreed) {
  Faults({"csr."}).expect_agreed_at(
      {"csr.description", "csr.offsets", "csr.elements", "csr.columns", "csr.allocate"},
      [&] { align_rows(matrix, world()); });
  Faults({"csr."}).expect_agreed_at({"csr.align"}, [&] {
    align_rows(matrix.values, matrix.columns, matrix.offsets, 5, world(), 1);
  });
}

TEST_P(CsrFaults, OfAMaskAreAgreed) {
  std::vector<std::int32_t> memory(held.values.size());
  const DistArray mask = describe(memory, matrix.values.dimensions());
  expect_agreed_at(
      {"csr.description", "csr.offsets", "csr.mask", "csr.empty-rows", "csr.mask-close"},
      [&] { row_starts(matrix, mask, world()); });
}

TEST_P(CsrFaults, OfRowsAreAgreed) {
  std::vector<std::int64_t> lengths(held.values.size(), 1);
  Faults({"csr."}).expect_agreed_at(
      {"csr.parts", "csr.stacked", "csr.from-rows", "csr.offsets-from-lengths", "csr.description",
       "csr.elements", "csr.columns"},
      [&] { csr_from_rows(held.values, held.columns, lengths, 5, world(), 1); });
}

INSTANTIATE_TEST_SUITE_P(RowsOnOneRankOrSeveral, CsrFaults, testing::Bool());

}  // namespace
}  // namespace daptor::test
