// SPDX-License-Identifier: BSD-3-Clause
// The family of distributions that blocks and cycles of rows and columns make, by descriptors both
// ways: blocks of rows, of columns, cyclic ones, and grids of them.

#include <string>

#include "daptor/validate.hpp"
#include "matrices.hpp"

namespace daptor::scalapack::test {
namespace {

/// How one dimension is divided.
enum class Way { whole, blocks, cyclic, block_cyclic };

Index block_of(Way way, Index size, Index processes) {
  if (way == Way::cyclic) return 1;
  if (way == Way::block_cyclic) return 2;
  return BlockCyclic::blocks(size, way == Way::whole ? 1 : processes).block_size();
}

/// The dimension in the words of the protocol that are nearest: 'n' and 'b' where they fit.
Dimension dimension_of(Way way, Index size, GridPosition at) {
  if (way == Way::whole) return undistributed(size);
  const Index length = block_of(way, size, at.size);
  if (way != Way::blocks) return cyclic(size, at, length);
  const Index start = std::min(size, at.rank * length);
  return block(size, at, {start, std::min(size, start + length)});
}

struct Member {
  std::string name;
  Way rows, columns;
};

/// One process has all indices, and the words do not say in which blocks.
bool leaves_blocks_open(Way way, Index processes) {
  return way == Way::whole || (way == Way::blocks && processes == 1);
}

/// Blocks whose size is open are as those of the other dimension.
void make_square(Shape& shape, bool open_rows, bool open_columns) {
  const Index larger = std::max(shape.row_block, shape.column_block);
  const Index rows = shape.row_block, columns = shape.column_block;
  if (open_rows) shape.row_block = open_columns ? larger : columns;
  if (open_columns) shape.column_block = open_rows ? larger : rows;
}

/// The descriptor is imported from the description in the protocol's words, gives an equal one in
/// cyclic words, and that gives the descriptor again.
void expect_both_ways(const Member& member, Index rows, Index columns, const Grid& grid) {
  SCOPED_TRACE(member.name + " of " + std::to_string(rows) + " x " + std::to_string(columns));
  Shape shape{rows, columns, block_of(member.rows, rows, grid.rows()),
              block_of(member.columns, columns, grid.columns())};
  make_square(shape, leaves_blocks_open(member.rows, grid.rows()),
              leaves_blocks_open(member.columns, grid.columns()));
  Part part(shape, grid);
  const Descriptor expected = descriptor_of(shape, grid, part.leading_dimension);
  const DistArray described =
      describe(part.values.data(),
               {dimension_of(member.rows, rows, {grid.rows(), grid.row()}),
                dimension_of(member.columns, columns, {grid.columns(), grid.column()})},
               {Index{8}, 8 * part.leading_dimension})
          .on(world);
  ASSERT_TRUE(validate(described));
  const Matrix<double> matrix = import_matrix<double>(described, grid);
  ASSERT_EQ(descriptor_of(matrix), expected);
  ASSERT_EQ(matrix.data(), part.values.data());
  const DistArray exported = export_matrix(expected.data(), part.values, world);
  ASSERT_EQ(exported.data(), described.data());
  ASSERT_EQ(exported.local_shape(), described.local_shape());
  // The same elements at the same places, whatever the words.
  const LocalIndexMap ours(described), theirs(exported);
  for (Index i = 0; i < part.local_rows; ++i)
    for (Index j = 0; j < part.local_columns; ++j)
      ASSERT_EQ(ours.global_of({i, j}), theirs.global_of({i, j}));
  ASSERT_EQ(descriptor_of(import_matrix<double>(exported, grid)), expected);
}

TEST(Families, ByDescriptorsBothWays) {
  const Member on_a_line[] = {{"blocks of rows", Way::blocks, Way::whole},
                              {"cyclic rows", Way::cyclic, Way::whole},
                              {"block-cyclic rows", Way::block_cyclic, Way::whole},
                              {"blocks of columns", Way::whole, Way::blocks},
                              {"cyclic columns", Way::whole, Way::cyclic},
                              {"block-cyclic columns", Way::whole, Way::block_cyclic}};
  const Way ways[] = {Way::blocks, Way::cyclic, Way::block_cyclic};
  const std::array<Index, 2> sizes[] = {{10, 7}, {23, 17}, {5, 4}, {1, 1}};
  for (const auto& size : sizes) {
    for (const Member& member : on_a_line) {
      const bool by_rows = member.columns == Way::whole;
      const Grid grid(world, by_rows ? world_size() : 1, by_rows ? 1 : world_size());
      expect_both_ways(member, size[0], size[1], grid);
    }
    for_each_grid([&](const Grid& grid) {
      for (const Way rows : ways)
        for (const Way columns : ways)
          expect_both_ways({"a grid of both", rows, columns}, size[0], size[1], grid);
    });
  }
}

}  // namespace
}  // namespace daptor::scalapack::test
