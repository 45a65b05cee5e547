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

/// Such a vector has no first owned element at which it could be read; all of it is gathered.
TEST(CsrRun, AVectorWithGhostsBetweenOwnedElementsOnOneRank) {
  std::vector<double> y_values = counting(even_bounds(5));
  auto held = aligned_part<double>(text_matrix(), even_bounds(5));
  const DistArray y = in_blocks(y_values, even_bounds(5));
  for (int rank = 0; rank < std::min(world_size(), 5); ++rank) {
    const bool here = world_rank() == rank;
    const IndexRange mine{even_bounds(5)[static_cast<std::size_t>(world_rank())],
                          even_bounds(5)[static_cast<std::size_t>(world_rank()) + 1]};
    std::vector<Index> indices;
    std::vector<double> values;
    std::vector<bool> owned;
    for (Index i = mine.start; i < mine.stop; ++i) {
      if (here && i > mine.start && world_size() > 1) {
        indices.push_back((mine.stop + i - mine.start - 1) % 5);
        values.push_back(-1e9);
        owned.push_back(false);
      }
      indices.push_back(i);
      values.push_back(static_cast<double>(i + 1));
      owned.push_back(true);
    }
    const DistArray x = describe(values.data(), {unstructured(5, {world_size(), world_rank()},
                                                              IndexList(std::move(indices)),
                                                              OwnedPart::where(owned))})
                            .on(MPI_COMM_WORLD);
    multiply(held.arrays(), x, y);
    EXPECT_EQ((whole<double, double>(y)), (std::vector<double>{15, 27, 50, 40, 34}));
  }
}

}  // namespace
}  // namespace daptor::test
