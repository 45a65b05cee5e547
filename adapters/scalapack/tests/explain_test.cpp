// SPDX-License-Identifier: BSD-3-Clause
// The target scalapack.matrix: the same verdict as the import's.

#include <algorithm>

#include "daptor/explain.hpp"
#include "matrices.hpp"

namespace daptor::scalapack::test {
namespace {

Assessment assessed(const DistArray& array) {
  for (const Assessment& each : explain(array, world))
    if (each.target == "scalapack.matrix") return each;
  ADD_FAILURE() << "no target scalapack.matrix";
  return {};
}

TEST(ExplainMatrix, AcceptsWhatIsImported) {
  const Grid grid(world);
  Part part({23, 17, 2, 3}, grid);
  const Assessment verdict = assessed(part.array());
  EXPECT_TRUE(verdict.representable);
  EXPECT_EQ(verdict.call, "daptor::scalapack::import_matrix");
  EXPECT_EQ(verdict.bytes_per_index, 0);
}

TEST(ExplainMatrix, NamesReasonAndCopy) {
  const DistArray rows =
      allocate<double>({block(23, {world_size(), world_rank()}), undistributed(17)});
  const Assessment verdict = assessed(rows);
  EXPECT_FALSE(verdict.representable);
  ASSERT_FALSE(verdict.reasons.empty());
  EXPECT_EQ(verdict.copy_call, "daptor::scalapack::copy_to_matrix<double>(a, grid)");
  EXPECT_TRUE(verdict.bytes_to_move.has_value());
  expect_refused_everywhere(verdict.reasons.front().rule,
                            [&] { import_matrix<double>(rows, Grid(world, world_size(), 1)); });
}

}  // namespace
}  // namespace daptor::scalapack::test
