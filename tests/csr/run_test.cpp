// SPDX-License-Identifier: BSD-3-Clause
// Runs of a product with other vectors.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "../support/everywhere.hpp"
#include "lender.hpp"
#include "matrices.hpp"

namespace daptor::test {
namespace {

/// Descriptions of the same memory by two producers are equal, but only the one that is passed is
/// asked to open it.
TEST(CsrRun, AnotherProducerOfTheSameMemoryTakesThePlaceOfThePreviousOne) {
  for (int rank = 0; rank < std::min(world_size(), 5); ++rank) {
    auto held = aligned_part<double>(text_matrix(), even_bounds(5));
    std::vector<double> x_values = counting(even_bounds(5)), y_values = x_values;
    const DistArray x = in_blocks(x_values, even_bounds(5)),
                    y = in_blocks(y_values, even_bounds(5));
    Lender before, after;
    CsrProduct product(held.arrays(), before.lent(x), y);
    before.moved = world_rank() == rank;
    expect_refused_everywhere<Stale>("stale", [&] { product.run(product.x(), y); });
    product.run(after.lent(x), y);
    EXPECT_EQ((whole<double, double>(y)), (std::vector<double>{15, 27, 50, 40, 34}));
  }
}

}  // namespace
}  // namespace daptor::test
