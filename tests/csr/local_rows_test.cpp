// SPDX-License-Identifier: BSD-3-Clause
// How the rows that begin on a process are found. Not part of the public interface.

#include <gtest/gtest.h>

#include <vector>

#include "csr/local_rows.hpp"
#include "matrices.hpp"

namespace daptor::test {
namespace {

/// Only ranks with entries of a row, and those between them, take part in adding up its parts.
TEST(CsrLocalRows, ARankWithoutEntriesIsNoPartOfARow) {
  const int ranks = world_size();
  const Whole all = text_matrix();
  for (int holder = 0; holder < ranks; ++holder) {
    // All entries on one rank, all offsets on the last.
    Part<double> held(all, all_on(ranks - 1, 5), all_on(holder, all.entries()), 0);
    const CsrArrays matrix = held.arrays();
    Call call(world(), "rows");
    const auto offsets = detail::prove_offsets(matrix, call);
    const detail::LocalRows local = detail::find_local_rows(matrix, offsets, call);
    EXPECT_EQ(local.rows.size(), world_rank() == holder ? 5 : 0);
    EXPECT_EQ(local.shared.longest, 0);
    EXPECT_EQ(local.shared.joined, 0);
    EXPECT_FALSE(local.shared.continues);
  }
}

/// One row with an entry on the first rank and one on each other rank of even number.
TEST(CsrLocalRows, ARankBetweenTheEntriesOfARowPassesThemOn) {
  const int ranks = world_size();
  const int last = (ranks - 1) / 2 * 2;
  Whole all;
  all.columns = ranks;
  Bounds bounds{0};
  std::vector<Index> columns;
  for (int r = 0; r < ranks; ++r) {
    if (r % 2 == 0) columns.push_back(r);
    bounds.push_back(static_cast<Index>(columns.size()));
  }
  all.row(columns, std::vector<int>(columns.size(), 3));
  Part<double> held(all, all_on(0, 1), bounds, 0);
  const CsrArrays matrix = held.arrays();
  Call call(world(), "rows");
  const auto offsets = detail::prove_offsets(matrix, call);
  const detail::LocalRows local = detail::find_local_rows(matrix, offsets, call);
  const int rank = world_rank();
  EXPECT_EQ(local.shared.longest, last);
  EXPECT_EQ(local.shared.joined, rank == 0 || rank > last ? 0 : last - rank + 1);
  EXPECT_EQ(local.shared.continues, rank == 0 && last > 0);
  std::vector<double> x_values = counting(even_bounds(ranks)), y_values(rank == 0 ? 1U : 0U);
  multiply(matrix, in_blocks(x_values, even_bounds(ranks)), in_blocks(y_values, all_on(0, 1)));
  double expected = 0;
  for (const Index column : columns) expected += 3 * static_cast<double>(column + 1);
  EXPECT_EQ(y_values, rank == 0 ? std::vector<double>{expected} : std::vector<double>());
}

}  // namespace
}  // namespace daptor::test
