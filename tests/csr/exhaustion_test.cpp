// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out on one rank is an error of all ranks.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "../support/exhausted_memory.hpp"
#include "matrices.hpp"

namespace daptor::test {
namespace {

/// Allocates nothing.
CsrArrays on(const Comm& comm, const CsrArrays& matrix) {
  return {matrix.values.on(comm), matrix.columns.on(comm), matrix.offsets.on(comm),
          matrix.global_rows,     matrix.global_columns,   matrix.index_base};
}

TEST(CsrExhaustion, OfRowsAMaskACopyAndAProduct) {
  for (const bool straddling : {true, false}) {
    if (!straddling && thinned()) continue;
    const Whole all = text_matrix();
    Part<double> held(all, even_bounds(5),
                      straddling ? even_bounds(11) : all.entries_of(even_bounds(5)), 1);
    const CsrArrays matrix = held.arrays();
    std::vector<std::int64_t> lengths(held.values.size(), 1);
    std::vector<std::int32_t> memory(held.values.size());
    const Section mask = describe(memory, matrix.values.dimensions());
    EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
                csr_from_rows(held.values, held.columns, lengths, 5, comm, 1);
              }),
              0);
    EXPECT_GT(expect_exhaustion_agreed(
                  [&](const Comm& comm) { row_starts(on(comm, matrix), mask.on(comm)); }),
              0);
    EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) { align_rows(on(comm, matrix)); }), 0);
    for (const Bounds& bounds : {even_bounds(5), all_on(world_size() - 1, 5)}) {
      std::vector<double> x = counting(bounds), y = counting(bounds);
      const DistArray from = in_blocks(x, bounds), to = in_blocks(y, bounds);
      EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
                  multiply(on(comm, matrix), from.on(comm), to.on(comm));
                }),
                0);
      EXPECT_EQ((whole<double, double>(to)), (std::vector<double>{15, 27, 50, 40, 34}));
    }
  }
}

TEST(CsrExhaustion, OfARunWithOtherVectors) {
  auto held = aligned_part<double>(text_matrix(), even_bounds(5));
  const Bounds bounds = all_on(0, 5);
  std::vector<double> x_values = counting(bounds), y_values = x_values, other_values = x_values;
  const CsrArrays matrix = held.arrays();
  const DistArray x = in_blocks(x_values, bounds), y = in_blocks(y_values, bounds);
  const DistArray other = in_blocks(other_values, bounds);
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
              CsrProduct product(on(comm, matrix), x.on(comm), y.on(comm));
              product.run(x.on(comm), other.on(comm));
            }),
            0);
}

/// Memory cannot run out where the other processes already wait for this one.
TEST(CsrExhaustion, ARunOfAProductAllocatesNothing) {
  auto held = aligned_part<double>(text_matrix(), even_bounds(5));
  std::vector<double> x = counting(even_bounds(5)), y = counting(all_on(0, 5));
  CsrProduct product(held.arrays(), in_blocks(x, even_bounds(5)), in_blocks(y, all_on(0, 5)));
  EXPECT_EQ(Exhaustion::count([&] { product.run(); }), 0);
  EXPECT_EQ((whole<double, double>(product.y())), (std::vector<double>{15, 27, 50, 40, 34}));
}

}  // namespace
}  // namespace daptor::test
