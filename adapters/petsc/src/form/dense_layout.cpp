// SPDX-License-Identifier: BSD-3-Clause
#include "dense_layout.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "copy_layout.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/detail/layout.hpp"
#include "forms.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc::detail {
namespace {

/// In Fortran order columns may be a block of one process, whose array has rows and columns as it
/// has them on many processes. In C order they are undistributed, since the divided dimension of
/// such arrays is the rows.
bool can_be_columns(const Section& array, Order order) {
  if (array.ndim() < 2) return false;
  const Dimension& dimension = array.dimension(adapter::slowest(array, order));
  const auto* block = dimension.as<Block>();
  const bool one_process = order == Order::fortran && block != nullptr && block->grid.size == 1 &&
                           block->communication == Padding{};
  return one_process || adapter::whole_on_each_process(dimension);
}

/// A copy without entry `d`.
std::vector<Index> without(std::vector<Index> values, int d) {
  values.erase(values.begin() + d);
  return values;
}

bool rows_are_one_run(const Section& array, Order order) {
  if (array.owned_apart()) return false;
  const int columns = adapter::slowest(array, order);
  return daptor::detail::gapless(without(array.owned_shape(), columns),
                                 without(array.byte_strides(), columns), array.type().itemsize(),
                                 order);
}

Finding columns_reason(const Section& array) {
  return adapter::reason(
      "petsc.dense.columns",
      std::to_string(array.ndim()) +
          " dimensions, of which the slowest varying one is divided or padded",
      "an undistributed dimension without padding as the slowest varying one, which becomes the "
      "columns",
      "Describe the columns as undistributed (" + daptor::names::undistributed +
          "), import each column by itself, or use " + names::import_vec +
          ", whose block size is a fastest varying undistributed dimension.");
}

/// The first reason that prevents both orders.
void add_order_reason(const Section& array, adapter::Reasons& reasons) {
  bool columns = false;
  std::optional<Order> rows;
  for (const Order order : {Order::c, Order::fortran}) {
    if (!can_be_columns(array, order) || !adapter::memory_order(array).has(order)) continue;
    columns = true;
    if (rows_are_one_run(array, order)) rows = order;
  }
  if (!columns) return reasons.push_back(columns_reason(array));
  if (rows)
    return adapter::add_distance_reason(dense_form(), dense_columns(array, *rows),
                                        adapter::slowest(array, *rows), reasons);
  reasons.push_back(
      array.owned_apart()
          ? adapter::reason("petsc.dense.rows-run", "ghosts between owned elements",
                            "contiguous owned elements in each column",
                            "List the ghosts behind the owned elements (owned_then_ghosts).")
          : adapter::reason("petsc.dense.rows-run", "gaps between the elements of a column",
                            "contiguous owned elements in each column",
                            "Let the producer store columns without gaps."));
}

}  // namespace

adapter::Columns dense_columns(const Section& array, Order order) {
  const int columns = adapter::slowest(array, order);
  const auto d = static_cast<std::size_t>(columns);
  Index rows = 1;
  for (const Index extent : without(array.owned_shape(), columns)) rows *= extent;
  return {array.owned_shape()[d], rows, array.byte_strides()[d],
          static_cast<Index>(array.type().itemsize())};
}

adapter::OrderFit dense_order(const Section& array) {
  const auto fits = [&](Order order) {
    return can_be_columns(array, order) && rows_are_one_run(array, order) &&
           dense_columns(array, order).apart();
  };
  return {fits(Order::c), fits(Order::fortran)};
}

std::optional<Index> global_rows(const Section& array, Order order) {
  std::vector<Dimension> rows = array.dimensions();
  rows.erase(rows.begin() + adapter::slowest(array, order));
  return adapter::global_count(rows);
}

Index count_rows(const DistArray& array, Order order) {
  if (!adapter::has_lists(array)) return global_rows(array, order).value_or(0);
  const Comm comm = array.comm();
  const Index limit = std::numeric_limits<Index>::max() / comm.size();
  std::int64_t rows = std::min(dense_columns(array, order).length, limit);
  comm->allreduce(&rows, 1, Reduction::sum);
  adapter::require_count(dense_form(), "a global count of rows", rows);
  return rows;
}

void dense_layout_reasons(const Section& array, adapter::Reasons& reasons) {
  const adapter::OrderFit orders = dense_order(array);
  if (!orders.any()) return add_order_reason(array, reasons);
  const Order order = orders.c ? Order::c : Order::fortran;
  const adapter::Columns columns = dense_columns(array, order);
  const auto count = [&](const char* what, std::optional<Index> number) {
    adapter::count_reason(dense_form(), what, number, reasons);
  };
  count("an owned count of rows", columns.length);
  count("a count of columns", columns.count);
  count("a leading dimension", columns.leading_dimension());
  if (!adapter::has_lists(array)) count("a global count of rows", global_rows(array, order));
}

}  // namespace daptor::petsc::detail
