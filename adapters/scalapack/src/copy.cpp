// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/scalapack/copy.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/same.hpp"
#include "daptor/adapter/undefined_memory.hpp"
#include "daptor/agreement.hpp"
#include "daptor/builders.hpp"
#include "daptor/consistent.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/scalapack/block_cyclic.hpp"
#include "matrix_form.hpp"
#include "matrix_reasons.hpp"
#include "text.hpp"

namespace daptor::scalapack {
namespace {

using daptor::detail::fault_point;

void require_blocks(const Blocks& blocks) {
  if (blocks.rows >= 1 && blocks.columns >= 1) return;
  adapter::refuse_argument("scalapack.blocks",
                           "blocks of " + text(blocks.rows) + " x " + text(blocks.columns),
                           "blocks of at least one row and one column", "Pass larger blocks.");
}

/// Rows and columns of a matrix that the array is, or the one column that it becomes.
std::array<Index, 2> matrix_shape(const DistArray& array) {
  const std::vector<Index> shape = array.global_shape();
  return {shape[0], shape.size() == 2 ? shape[1] : 1};
}

/// Redistribution would number the elements of arrays of different shapes row by row, and
/// ScaLAPACK's users count those of a matrix column by column.
void require_shape(const DistArray& matrix, const DistArray& array) {
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
DistArray allocate_blocks(const DistArray& array, const Grid& grid, const DataType& type,
                          const Blocks& blocks) {
  const auto shape = matrix_shape(array);
  const BlockCyclic rows(shape[0], blocks.rows, grid.rows());
  const BlockCyclic columns(shape[1], blocks.columns, grid.columns());
  // There is no padding: the copy writes every element.
  DistArray target = adapter::allocate_undefined(
      type, {rows.dimension(grid.row()), columns.dimension(grid.column())}, Order::fortran);
  target.defect().raise();
  adapter::require_none(detail::matrix_reasons(target));
  return target;
}

/// Collective over the grid's communicator. Processes that differ here would redistribute over
/// different communicators.
void require_one_grid(const Grid& grid, const char* call) {
  const auto least = agreed_minima<4>(grid.comm(), [&]() -> std::array<std::int64_t, 4> {
    return {grid.rows(), adapter::falling(std::int64_t{grid.rows()}), grid.columns(),
            adapter::falling(std::int64_t{grid.columns()})};
  });
  if (!adapter::same_on_all(least[0], least[1]) || !adapter::same_on_all(least[2], least[3]))
    adapter::refuse_different_options(call);
}

/// Collective over the grid's communicator. All checks, then the memory.
detail::MatrixForm make_target(const DistArray& array, const Grid& grid, const DataType& type,
                               const Blocks& blocks) {
  detail::MatrixForm form{DistArray(), grid};
  const auto least = agreed_minima<4>(grid.comm(), [&]() -> std::array<std::int64_t, 4> {
    fault_point("scalapack.copy_to_matrix.check");
    adapter::Reasons reasons;
    detail::dimensions_reason(array, reasons);
    adapter::require_none(std::move(reasons));
    require_blocks(blocks);
    return {blocks.rows, adapter::falling(blocks.rows), blocks.columns,
            adapter::falling(blocks.columns)};
  });
  if (!adapter::same_on_all(least[0], least[1]) || !adapter::same_on_all(least[2], least[3]))
    adapter::refuse_different_options("copy_to_matrix");
  agreed(grid.comm(), [&] {
    fault_point("scalapack.copy_to_matrix.allocate");
    const auto shape = matrix_shape(array);
    form = grid.inside() ? detail::form_of(allocate_blocks(array, grid, type, blocks), grid, 0, 0)
                         : detail::form_outside(grid, shape[0], shape[1]);
  });
  return form;
}

/// The side of the grid, which some processes have no part in.
ArraysOn on_grid(const DistArray& array, const Grid& grid) {
  if (!grid.inside()) return {};
  return {{array}, grid.inside_comm()->original()};
}

ArraysOn on_all(const DistArray& array, const Grid& grid) {
  return {{array}, grid.comm()->original()};
}

bool covers_all(const Grid& grid) {
  return grid.rows() * grid.columns() == grid.comm().size();
}

}  // namespace

detail::MatrixForm detail::copy_form(const DistArray& array, const Grid& grid, const DataType& type,
                                     const Blocks& blocks, const RedistributionOptions& options) {
  const CollectiveCall call(grid.comm(), "scalapack::copy_to_matrix");
  require_consistent(array, grid.comm());
  require_one_grid(grid, "copy_to_matrix");
  MatrixForm form = make_target(array, grid, type, blocks);
  if (covers_all(grid))
    redistribute(array, form.array, grid.comm(), options);
  else
    redistribute(on_all(array, grid), on_grid(form.array, grid), grid.comm(), options);
  return form;
}

void detail::copy_back(const MatrixForm& form, const DistArray& array,
                       const RedistributionOptions& options) {
  const Grid& grid = form.grid;
  const CollectiveCall call(grid.comm(), "scalapack::copy_from_matrix");
  require_consistent(array, grid.comm());
  require_one_grid(grid, "copy_from_matrix");
  agreed(grid.comm(), [&] {
    if (grid.inside()) require_shape(form.array, array);
  });
  if (covers_all(grid)) return redistribute(form.array, array, grid.comm(), options);
  redistribute(on_grid(form.array, grid), on_all(array, grid), grid.comm(), options);
}

}  // namespace daptor::scalapack
