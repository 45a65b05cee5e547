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
#include "daptor/adapter/reason.hpp"
#include "daptor/detail/layout.hpp"
#include "element_reasons.hpp"
#include "names.hpp"
#include "order.hpp"
#include "overlap.hpp"

namespace daptor::petsc::detail {
namespace {

/// In Fortran order columns may be a block of one process, whose array has rows and columns as it
/// has them on many processes. In C order they are undistributed, since the divided dimension of
/// such arrays is the rows.
bool can_be_columns(const Section& array, Order order) {
  if (array.ndim() < 2) return false;
  const Dimension& dimension = array.dimension(slowest(array, order));
  const auto* block = dimension.as<Block>();
  const bool one_process = order == Order::fortran && block != nullptr && block->grid.size == 1 &&
                           block->communication == Padding{};
  return one_process || whole_on_each_process(dimension);
}

/// A copy without entry `d`.
std::vector<Index> without(std::vector<Index> values, int d) {
  values.erase(values.begin() + d);
  return values;
}

bool rows_are_one_run(const Section& array, Order order) {
  if (array.owned_apart()) return false;
  const int columns = slowest(array, order);
  return daptor::detail::gapless(without(array.owned_shape(), columns),
                                 without(array.byte_strides(), columns), array.type().itemsize(),
                                 order);
}

bool stride_fits(const Section& array, Order order) {
  const DenseLayout layout = dense_layout(array, order);
  const auto d = static_cast<std::size_t>(slowest(array, order));
  if (layout.columns <= 1 || layout.owned_rows == 0) return true;
  const Index stride = array.byte_strides()[d];
  return stride % static_cast<Index>(array.type().itemsize()) == 0 &&
         layout.leading_dimension >= layout.owned_rows;
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
Finding order_reason(const Section& array) {
  bool columns = false;
  bool rows = false;
  for (const Order order : {Order::c, Order::fortran}) {
    if (!can_be_columns(array, order) || !memory_order(array).has(order)) continue;
    columns = true;
    rows = rows || rows_are_one_run(array, order);
  }
  if (!columns) return columns_reason(array);
  if (!rows && array.owned_apart())
    return adapter::reason("petsc.dense.rows-run", "ghosts between owned elements",
                           "contiguous owned elements in each column",
                           "List the ghosts behind the owned elements (owned_then_ghosts).");
  if (!rows)
    return adapter::reason("petsc.dense.rows-run", "gaps between the elements of a column",
                           "contiguous owned elements in each column",
                           "Let the producer store columns without gaps.");
  return adapter::reason(
      "petsc.dense.leading-dimension",
      "columns that overlap, are in decreasing order, or are not a whole number of elements apart",
      "a distance between columns of at least their length",
      "Describe the columns in increasing order of their addresses.");
}

}  // namespace

DenseLayout dense_layout(const Section& array, Order order) {
  const int columns = slowest(array, order);
  const auto d = static_cast<std::size_t>(columns);
  DenseLayout layout;
  layout.columns = array.owned_shape()[d];
  layout.owned_rows = 1;
  for (const Index extent : without(array.owned_shape(), columns)) layout.owned_rows *= extent;
  const Index at_least = std::max<Index>(layout.owned_rows, 1);
  layout.leading_dimension =
      layout.columns > 1 && layout.owned_rows > 0
          ? array.byte_strides()[d] / static_cast<Index>(array.type().itemsize())
          : at_least;
  return layout;
}

OrderFit dense_order(const Section& array) {
  const auto fits = [&](Order order) {
    return can_be_columns(array, order) && rows_are_one_run(array, order) &&
           stride_fits(array, order);
  };
  return {fits(Order::c), fits(Order::fortran)};
}

std::optional<Index> global_rows(const Section& array, Order order) {
  std::vector<Dimension> rows = array.dimensions();
  rows.erase(rows.begin() + slowest(array, order));
  return adapter::global_count(rows);
}

Finding mixed_columns_reason() {
  return adapter::reason("petsc.dense.columns",
                         "a slowest varying dimension that differs between ranks",
                         "the same dimension as columns on all ranks",
                         "Let the producer store all sections in the same order.");
}

Index count_rows(const DistArray& array, Order order) {
  if (!has_unstructured(array)) return global_rows(array, order).value_or(0);
  const Comm comm = array.comm();
  const Index limit = std::numeric_limits<Index>::max() / comm.size();
  std::int64_t rows = std::min(dense_layout(array, order).owned_rows, limit);
  comm->allreduce(&rows, 1, Reduction::sum);
  adapter::Reasons reasons;
  count_reason("petsc.dense", "a global count of rows", rows, reasons);
  adapter::require_none(std::move(reasons));
  return rows;
}

adapter::Reasons dense_reasons(const Section& array, bool overlap) {
  adapter::Reasons reasons;
  element_reasons("petsc.dense", array, reasons);
  const int overlapping = adapter::shared_dimension(array);
  if (overlapping >= 0 && overlap)
    reasons.push_back(adapter::reason("petsc.dense.overlap", overlapping,
                                      "unstructured indices that may be on several processes",
                                      "each row on one process", "Import the owned rows only."));
  const OrderFit orders = dense_order(array);
  if (!orders.any()) {
    reasons.push_back(order_reason(array));
  } else {
    const Order order = orders.c ? Order::c : Order::fortran;
    const DenseLayout layout = dense_layout(array, order);
    count_reason("petsc.dense", "an owned count of rows", layout.owned_rows, reasons);
    count_reason("petsc.dense", "a count of columns", layout.columns, reasons);
    count_reason("petsc.dense", "a leading dimension", layout.leading_dimension, reasons);
    if (!has_unstructured(array))
      count_reason("petsc.dense", "a global count of rows", global_rows(array, order), reasons);
  }
  if (array.readonly())
    reasons.push_back(
        adapter::reason("petsc.dense.readonly", "read-only memory",
                        "writable memory, because a Mat has no read lock",
                        "Import a writable array, or its columns with " + names::import_vec + "."));
  if (array.ndim() >= 2)
    offer_copy(
        reasons, [&] { return to_dense(array); },
        [](const std::string& rule) {
          return rule == "columns" || rule == "rows-run" || rule == "leading-dimension" ||
                 rule == "alignment" || rule == "readonly";
        });
  return reasons;
}

}  // namespace daptor::petsc::detail
