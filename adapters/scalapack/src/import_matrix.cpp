// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/scalapack/matrix.hpp"
#include "matrix_form.hpp"
#include "matrix_reasons.hpp"
#include "names.hpp"

namespace daptor::scalapack {
namespace {

using adapter::BlockCyclicForm;

constexpr Index unknown = std::numeric_limits<Index>::max();

void require_position(const BlockCyclicForm& rows, const BlockCyclicForm& columns,
                      const Grid& grid) {
  const GridPosition row{grid.rows(), grid.row()};
  const GridPosition column{grid.columns(), grid.column()};
  if (rows.grid == row && columns.grid == column) return;
  adapter::refuse_argument(
      "scalapack.grid.position", "a section at " + adapter::place_text(rows.grid, columns.grid),
      "the place of this process on the grid, " + adapter::place_text(row, column),
      "Make the grid from the array: " + names::grid_of + ".");
}

void require_elements(const Section& array, const DataType& type, bool writable) {
  adapter::Reasons reasons = detail::matrix_reasons(array);
  if (array.type() != type && detail::has_element_type(array))
    reasons.insert(reasons.begin(),
                   adapter::reason("scalapack.matrix.type", "elements of " + array.type().name(),
                                   "elements of " + type.name() + ", as asked for",
                                   "Import with the element type of the array."));
  if (writable && array.readonly())
    reasons.push_back(adapter::reason(
        "scalapack.matrix.readonly", "read-only memory", "memory that may be written",
        "Import it with " + names::import_readonly + ".", detail::to_matrix(array)));
  adapter::require_none(std::move(reasons));
}

}  // namespace

detail::MatrixForm detail::form_of(const Section& array, const Grid& grid, Index row_source,
                                   Index column_source) {
  const adapter::BlockCyclicMatrix matrix = adapter::block_cyclic_matrix(array);
  const auto as_int = [](Index value) { return static_cast<int>(value); };  // proven to fit
  return {array.on(grid.inside_comm()),
          grid,
          {1, grid.context(), as_int(matrix.rows.size), as_int(matrix.columns.size),
           as_int(matrix.rows.block), as_int(matrix.columns.block), as_int(row_source),
           as_int(column_source), as_int(matrix.leading_dimension)},
          matrix.local_rows,
          matrix.local_columns};
}

detail::MatrixForm detail::form_outside(const Grid& grid, Index rows, Index columns) {
  return {Section().on(grid.comm()),
          grid,
          {1, -1, static_cast<int>(rows), static_cast<int>(columns), 1, 1, 0, 0, 1},
          0,
          0};
}

detail::MatrixForm detail::import_form(const DistArray& array, const Grid& grid,
                                       const DataType& type, bool writable) {
  if (!grid.inside()) return form_outside(grid, 0, 0);
  Call call(grid.inside_comm(), "scalapack::import_matrix");
  call.prove(array);
  Agreed<std::int64_t> row_source, column_source;
  call.check([&] {
    require_elements(array, type, writable);
    const adapter::BlockCyclicMatrix matrix = adapter::block_cyclic_matrix(array);
    require_position(matrix.rows, matrix.columns, grid);
    adapter::require_memory(array);
    row_source = call.least(matrix.rows.source.value_or(unknown));
    column_source = call.least(matrix.columns.source.value_or(unknown));
  });
  // Those that know it know the same: the proof of consistency has seen to that.
  const auto source = [](Index found) { return found == unknown ? 0 : found; };
  return form_of(array, grid, source(row_source), source(column_source));
}

}  // namespace daptor::scalapack
