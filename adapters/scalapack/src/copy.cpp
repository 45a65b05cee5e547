// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/scalapack/copy.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/undefined_memory.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/scalapack/block_cyclic.hpp"
#include "matrix_form.hpp"
#include "matrix_reasons.hpp"
#include "text.hpp"

namespace daptor::scalapack {
namespace {

void require_blocks(const Blocks& blocks) {
  if (blocks.rows >= 1 && blocks.columns >= 1) return;
  adapter::refuse_argument("scalapack.blocks",
                           "blocks of " + text(blocks.rows) + " x " + text(blocks.columns),
                           "blocks of at least one row and one column", "Pass larger blocks.");
}

/// Rows and columns of a matrix that the array is, or the one column that it becomes.
std::array<Index, 2> matrix_shape(const Section& array) {
  const std::vector<Index> shape = array.global_shape();
  return {shape[0], shape.size() == 2 ? shape[1] : 1};
}

/// Redistribution would number the elements of arrays of different shapes row by row, and
/// ScaLAPACK's users count those of a matrix column by column.
void require_shape(const Section& matrix, const Section& array) {
  const auto shape = matrix_shape(matrix);
  if ((array.ndim() == 1 || array.ndim() == 2) && matrix_shape(array) == shape) return;
  std::string found;
  for (const Index size : array.global_shape()) found += (found.empty() ? "" : " x ") + text(size);
  adapter::refuse_argument("redistribute.shape",
                           "a matrix of " + text(shape[0]) + " x " + text(shape[1]) +
                               ", and an array of " + (found.empty() ? "no dimensions" : found),
                           "an array of the matrix's shape, or of one dimension for one column");
}

/// The empty target, on a process of the grid.
Section allocate_blocks(const Section& array, const Grid& grid, const DataType& type,
                        const Blocks& blocks) {
  const auto shape = matrix_shape(array);
  const BlockCyclic rows(shape[0], blocks.rows, grid.rows());
  const BlockCyclic columns(shape[1], blocks.columns, grid.columns());
  // There is no padding: the copy writes every element.
  Section target = adapter::allocate_undefined(
      type, {rows.dimension(grid.row()), columns.dimension(grid.column())}, Order::fortran);
  target.defect().raise();
  adapter::require_none(detail::matrix_reasons(target));
  return target;
}

/// Processes that differ here would redistribute over different communicators.
void same_grid(const Grid& grid, Call& call) {
  call.same("rows of the grid", grid.rows());
  call.same("columns of the grid", grid.columns());
}

/// Collective over the grid's communicator. All checks, then the memory.
detail::MatrixForm make_target(const DistArray& array, const Grid& grid, const DataType& type,
                               const Blocks& blocks, Call& call) {
  call.prove(array);
  same_grid(grid, call);
  call.same(blocks);
  call.check([&] {
    detail::require_dimensions(array);
    require_blocks(blocks);
  });
  return call.check([&] {
    const auto shape = matrix_shape(array);
    return grid.inside() ? detail::form_of(allocate_blocks(array, grid, type, blocks), grid, 0, 0)
                         : detail::form_outside(grid, shape[0], shape[1]);
  });
}

/// The side of the grid, which some processes have no part in.
std::vector<DistArray> on_grid(const detail::MatrixForm& form) {
  if (!form.grid.inside()) return {};
  return {form.array};
}

bool covers_all(const Grid& grid) {
  return grid.rows() * grid.columns() == grid.comm().size();
}

}  // namespace

detail::MatrixForm detail::copy_form(const DistArray& array, const Grid& grid, const DataType& type,
                                     const Blocks& blocks, const RedistributionOptions& options) {
  Call call(grid.comm(), "scalapack::copy_to_matrix");
  MatrixForm form = make_target(array, grid, type, blocks, call);
  if (covers_all(grid)) {
    redistribute(array, form.array, options);
    return form;
  }
  std::vector<DistArray> sources, targets;
  call.check([&] {
    sources = {array};
    targets = on_grid(form);
  });
  redistribute(sources, targets, grid.comm(), options);
  return form;
}

void detail::copy_back(const MatrixForm& form, const DistArray& array,
                       const RedistributionOptions& options) {
  const Grid& grid = form.grid;
  Call call(grid.comm(), "scalapack::copy_from_matrix");
  call.prove(array);
  same_grid(grid, call);
  std::vector<DistArray> sources, targets;
  call.check([&] {
    if (grid.inside()) require_shape(form.array, array);
    sources = on_grid(form);
    targets = {array};
  });
  if (covers_all(grid))
    redistribute(form.array, array, options);
  else
    redistribute(sources, targets, grid.comm(), options);
}

}  // namespace daptor::scalapack
