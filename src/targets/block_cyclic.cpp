// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/block_cyclic.hpp"

#include <algorithm>
#include <string>

#include "daptor/adapter/columns.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/form.hpp"

namespace daptor::adapter {
namespace {

std::string text(Index value) {
  return std::to_string(value);
}

std::optional<BlockCyclicForm> form_of_block(Index size, const Block& block) {
  const Index length = one_block_each(size, block.grid.size);
  const IndexRange expected = range_of_one_block(size, block.grid);
  const bool empty = block.owned.empty() && expected.empty();
  if (!empty && block.owned != expected) return std::nullopt;
  return BlockCyclicForm{size, length, block.grid, 0, block.grid.size == 1};
}

BlockCyclicForm form_of_cyclic(Index size, const Cyclic& cyclic) {
  BlockCyclicForm found{size, cyclic.block_size, cyclic.grid, std::nullopt, false};
  if (cyclic.start >= size) return found;
  const Index turns = cyclic.start / cyclic.block_size % cyclic.grid.size;
  found.source = (cyclic.grid.rank - turns + cyclic.grid.size) % cyclic.grid.size;
  return found;
}

void distribution_reason(const Form& form, const Section& array, int d, Reasons& reasons) {
  const Dimension& dimension = array.dimension(d);
  const auto* block = dimension.as<Block>();
  if (const auto blocks = as_block_cyclic(dimension)) {
    if (form.matrix.first_block != nullptr && blocks->source.value_or(0) != 0)
      reasons.push_back(reason(
          rule_of(form, ".origin"), d,
          "blocks that are dealt from process " + text(*blocks->source) + " on",
          std::string("blocks that are dealt from process 0 on, ") + form.matrix.first_block));
  } else if (block == nullptr) {
    reasons.push_back(reason(rule_of(form, ".distribution"), d, "a list of indices",
                             "indices that are dealt in blocks of one size"));
  } else {
    const Index size = dimension.global_size(), processes = block->grid.size;
    reasons.push_back(reason(rule_of(form, ".uneven-blocks"), d,
                             "the block " + terms::range(block->owned) + " on process " +
                                 text(block->grid.rank) + " of " + text(processes),
                             "blocks of ceil(" + text(size) + " / " + text(processes) +
                                 ") = " + text(one_block_each(size, processes)) + ", here " +
                                 terms::range(range_of_one_block(size, block->grid))));
  }
}

/// Rows follow each other, and columns do not overlap.
void order_reason(const Form& form, const Section& array, Reasons& reasons) {
  const auto item = static_cast<Index>(array.type().itemsize());
  const BlockCyclicMatrix matrix = block_cyclic_matrix(array);
  if (matrix.local_rows == 0 || matrix.local_columns == 0) return;
  const bool two = array.ndim() == 2;
  const Index row = array.byte_strides()[0], column = two ? array.byte_strides()[1] : item;
  if (matrix.local_rows > 1 && row != item) {
    const bool row_major = two && column == item;
    reasons.push_back(
        reason(rule_of(form, ".order"), 0,
               "rows " + text(row) + " bytes apart" + (row_major ? ", in row-major order" : ""),
               "column-major order, in which rows are " + text(item) + " bytes apart",
               row_major ? form.matrix.row_major_remedy : Terms()));
    return;
  }
  if (form.matrix.gaps)
    return add_distance_reason(form, {matrix.local_columns, matrix.local_rows, column, item}, 1,
                               reasons);
  const Index least = item * matrix.local_rows;
  if (matrix.local_columns == 1 || column == least) return;
  reasons.push_back(reason(
      rule_of(form, ".order"), 1, "columns " + text(column) + " bytes apart",
      "column-major order without gaps, in which columns are " + text(least) + " bytes apart"));
}

void count_reasons(const Form& form, const Section& array, Reasons& reasons) {
  for (int d = 0; d < array.ndim(); ++d) {
    const auto blocks = as_block_cyclic(array.dimension(d));
    count_reason(form, "a size", blocks->size, reasons, d);
    count_reason(form, "a block size", blocks->block, reasons, d);
  }
  const BlockCyclicMatrix matrix = block_cyclic_matrix(array);
  count_reason(form, "a leading dimension", matrix.leading_dimension, reasons);
  // Libraries count the elements of the local part, gaps included, in the same integers.
  const std::string part = "a local part of " + text(matrix.local_columns) + " columns, " +
                           text(matrix.leading_dimension) + " elements apart, that is, a count";
  count_reason(form, part.c_str(), product({matrix.leading_dimension, matrix.local_columns}),
               reasons);
}

}  // namespace

std::optional<BlockCyclicForm> as_block_cyclic(const Dimension& dimension) {
  const Index size = dimension.global_size();
  if (dimension.as<Undistributed>() != nullptr)
    return BlockCyclicForm{size, std::max<Index>(1, size), {}, 0, true};
  if (const auto* block = dimension.as<Block>()) return form_of_block(size, *block);
  if (const auto* cyclic = dimension.as<Cyclic>()) return form_of_cyclic(size, *cyclic);
  return std::nullopt;
}

BlockCyclicMatrix block_cyclic_matrix(const Section& array) {
  BlockCyclicMatrix matrix;
  const bool two = array.ndim() == 2;
  matrix.rows = as_block_cyclic(array.dimension(0)).value_or(BlockCyclicForm{});
  matrix.columns = BlockCyclicForm{1, 1, {}, 0, true};
  if (two) matrix.columns = as_block_cyclic(array.dimension(1)).value_or(BlockCyclicForm{});
  make_blocks_square(matrix.rows, matrix.columns);
  matrix.local_rows = array.owned_shape()[0];
  matrix.local_columns = two ? array.owned_shape()[1] : 1;
  matrix.leading_dimension = std::max<Index>(1, matrix.local_rows);
  if (matrix.local_rows > 0 && matrix.local_columns > 1)
    matrix.leading_dimension =
        array.byte_strides()[1] / static_cast<Index>(array.type().itemsize());
  return matrix;
}

void matrix_dimensions_reason(const Form& form, const Section& array, Reasons& reasons) {
  if (array.ndim() == 2 || (form.matrix.vectors && array.ndim() == 1)) return;
  reasons.push_back(
      reason(rule_of(form, ".dimensions"), text(array.ndim()) + " dimensions",
             form.matrix.vectors ? "a matrix, or a vector as its only column" : "rows and columns",
             "Describe the matrices of the array one by one."));
}

void add_block_cyclic_reasons(const Form& form, const Section& array, Reasons& reasons) {
  const std::size_t before = reasons.size();
  matrix_dimensions_reason(form, array, reasons);
  if (reasons.size() > before) return;
  for (int d = 0; d < array.ndim(); ++d) distribution_reason(form, array, d, reasons);
  order_reason(form, array, reasons);
  // Only a matrix has these numbers.
  if (reasons.empty()) count_reasons(form, array, reasons);
}

}  // namespace daptor::adapter
