// SPDX-License-Identifier: BSD-3-Clause
// The target scalapack.matrix: the same verdict as the import's.

#include <algorithm>
#include <vector>

#include "daptor/explain.hpp"
#include "matrices.hpp"

namespace daptor::scalapack::test {
namespace {

Assessment assessed(const DistArray& array) {
  for (const Assessment& each : explain(array))
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
      allocate<double>({block(23, {world_size(), world_rank()}), undistributed(17)}).on(world);
  const Assessment verdict = assessed(rows);
  EXPECT_FALSE(verdict.representable);
  ASSERT_FALSE(verdict.reasons.empty());
  EXPECT_EQ(verdict.copy.text, "daptor::scalapack::copy_to_matrix<double>(a, grid)");
  EXPECT_TRUE(verdict.bytes_to_move.has_value());
  expect_refused_everywhere(verdict.reasons.front().rule,
                            [&] { import_matrix<double>(rows, Grid(world, world_size(), 1)); });
}

TEST(ExplainMatrix, NamesTheOptionThatListsWithSharedIndicesNeed) {
  // Index r + 1 is on ranks r and r + 1.
  std::vector<double> values{1.0 * world_rank(), world_rank() + 1.0};
  const DistArray list =
      describe(values,
               {unstructured(world_size() + 1, {world_size(), world_rank()},
                             IndexList(std::vector<Index>{world_rank(), world_rank() + 1}))})
          .on(world);
  const Assessment verdict = assessed(list);
  if (world_size() == 1) {
    EXPECT_EQ(verdict.copy.text, "daptor::scalapack::copy_to_matrix<double>(a, grid)");
    return;
  }
  EXPECT_EQ(verdict.copy.text,
            "daptor::scalapack::copy_to_matrix<double>(a, grid, {}, {false, true})");
  EXPECT_TRUE(verdict.bytes_to_move.has_value());
  const Grid grid(world);
  expect_refused_everywhere("redistribute.overlap", [&] { copy_to_matrix<double>(list, grid); });
  const Matrix<double> copy = copy_to_matrix<double>(list, grid, {}, {false, true});
  const DistArray back =
      allocate<double>({block(world_size() + 1, {world_size(), world_rank()})}).on(world);
  copy_from_matrix(copy, back);
  for (Index i = 0; i < back.owned_shape()[0]; ++i)
    EXPECT_EQ(
        static_cast<const double*>(back.data())[i],
        static_cast<double>(even_block(world_size() + 1, {world_size(), world_rank()}).start + i));
}

}  // namespace
}  // namespace daptor::scalapack::test
