// SPDX-License-Identifier: BSD-3-Clause
#include "matrix_reasons.hpp"

#include <algorithm>
#include <complex>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/text.hpp"
#include "names.hpp"
#include "text.hpp"

namespace daptor::scalapack::detail {
namespace {

constexpr Index largest_int = std::numeric_limits<int>::max();

/// The name of the element type in C++; null where ScaLAPACK has no such elements.
const char* cpp_name(const DataType& type) {
  if (type == DataType::of<float>()) return "float";
  if (type == DataType::of<double>()) return "double";
  if (type == DataType::of<std::complex<float>>()) return "std::complex<float>";
  if (type == DataType::of<std::complex<double>>()) return "std::complex<double>";
  if (type == DataType::of<int>()) return "int";
  return nullptr;
}

void distribution_reason(const Section& array, int d, adapter::Reasons& reasons) {
  if (as_block_cyclic(array, d)) return;
  const Dimension& dimension = array.dimension(d);
  const auto* block = dimension.as<Block>();
  if (block == nullptr) {
    reasons.push_back(adapter::reason("scalapack.matrix.distribution", d, "a list of indices",
                                      "indices that are dealt in blocks of one size", "",
                                      to_matrix(array)));
    return;
  }
  const Index size = dimension.global_size();
  const Index block_size = adapter::one_block_each(size, block->grid.size);
  reasons.push_back(adapter::reason(
      "scalapack.matrix.uneven-blocks", d,
      "the block " + terms::range(block->owned) + " on process " + text(block->grid.rank) + " of " +
          text(block->grid.size),
      "blocks of ceil(" + text(size) + " / " + text(block->grid.size) + ") = " + text(block_size) +
          ", here " + terms::range(adapter::range_of_one_block(size, block->grid)),
      "", to_matrix(array)));
}

/// Rows follow each other, and columns do not overlap.
void stride_reasons(const Section& array, adapter::Reasons& reasons) {
  const auto item = static_cast<Index>(array.type().itemsize());
  const Index rows = array.owned_shape()[0];
  const Index columns = array.ndim() == 2 ? array.owned_shape()[1] : 1;
  if (rows > 1 && columns > 0 && array.byte_strides()[0] != item) {
    const bool row_major = array.ndim() == 2 && array.byte_strides()[1] == item;
    reasons.push_back(adapter::reason(
        "scalapack.matrix.order", 0,
        "rows " + text(array.byte_strides()[0]) + " bytes apart" +
            (row_major ? ", in row-major order" : ""),
        "column-major order, in which rows are " + text(item) + " bytes apart",
        row_major
            ? "Import the transposed matrix, which is the same memory: " + names::transposed + "."
            : Terms(),
        to_matrix(array)));
    return;
  }
  if (rows == 0 || columns < 2) return;
  const Index stride = array.byte_strides()[1];
  if (stride % item == 0 && stride / item >= rows) return;
  reasons.push_back(adapter::reason(
      "scalapack.matrix.leading-dimension", 1, "columns " + text(stride) + " bytes apart",
      "a multiple of " + text(item) + " bytes, at least the " + text(rows) + " rows of a column",
      "", to_matrix(array)));
}

void range_reasons(const Section& array, adapter::Reasons& reasons) {
  const std::string prefix = "scalapack.matrix";
  for (int d = 0; d < array.ndim(); ++d)
    if (const auto each = as_block_cyclic(array, d)) {
      adapter::range_reason(prefix, "a size", each->size, reasons, d);
      adapter::range_reason(prefix, "a block size", each->block, reasons, d);
    }
  const LocalLayout local = local_layout(array);
  adapter::range_reason(prefix, "a leading dimension", local.leading_dimension, reasons);
  // ScaLAPACK counts elements of the local part in 32 bits too.
  if (local.columns > 0 && local.leading_dimension > largest_int / local.columns)
    reasons.push_back(adapter::reason(
        "scalapack.matrix.index-range",
        "a local part of " + text(local.columns) + " columns, " + text(local.leading_dimension) +
            " elements apart",
        "at most " + text(largest_int) + " elements on a process, as ScaLAPACK counts in 32 bits",
        "Use more processes, or a part of the matrix."));
}

void layout_reasons(const Section& array, adapter::Reasons& reasons) {
  const std::size_t before = reasons.size();
  dimensions_reason(array, reasons);
  if (reasons.size() > before) return;
  for (int d = 0; d < array.ndim(); ++d) distribution_reason(array, d, reasons);
  stride_reasons(array, reasons);
  if (reasons.empty()) range_reasons(array, reasons);
}

}  // namespace

bool has_element_type(const Section& array) {
  return matrix_form().holds(array.type());
}

Suggestion to_matrix(const Section& array) {
  const char* const name = cpp_name(array.type());
  const std::string call = std::string("daptor::scalapack::copy_to_matrix<") +
                           (name == nullptr ? "double" : name) + ">(a, grid";
  const std::string python = "daptor.scalapack.copy_to_matrix(a, grid";
  return adapter::suggest_copy(
      array, "scalapack.copy_to_matrix", terms::call(call + ")", python + ")"),
      terms::call(call + ", {}, {false, true})", python + ", read_from_any=True)"));
}

std::optional<BlockCyclicForm> as_block_cyclic(const Section& array, int d) {
  if (d >= array.ndim()) return BlockCyclicForm{1, 1, {}, 0, true};
  return adapter::as_block_cyclic(array.dimension(d));
}

MatrixBlocks blocks_of(const Section& array) {
  MatrixBlocks blocks{*as_block_cyclic(array, 0), *as_block_cyclic(array, 1)};
  adapter::make_blocks_square(blocks.rows, blocks.columns);
  return blocks;
}

LocalLayout local_layout(const Section& array) {
  LocalLayout local;
  local.rows = array.owned_shape()[0];
  local.columns = array.ndim() == 2 ? array.owned_shape()[1] : 1;
  local.leading_dimension = std::max<Index>(1, local.rows);
  if (local.rows > 0 && local.columns > 1)
    local.leading_dimension = array.byte_strides()[1] / static_cast<Index>(array.type().itemsize());
  return local;
}

void dimensions_reason(const Section& array, adapter::Reasons& reasons) {
  if (array.ndim() == 1 || array.ndim() == 2) return;
  reasons.push_back(adapter::reason("scalapack.matrix.dimensions",
                                    text(array.ndim()) + " dimensions",
                                    "a matrix, or a vector as its only column",
                                    "Describe the matrices of the array one by one."));
}

const adapter::Form& matrix_form() {
  static const adapter::Form form = [] {
    adapter::Form matrix;
    matrix.id = "scalapack.matrix";
    matrix.holds = [](const DataType& type) { return type.native() && cpp_name(type) != nullptr; };
    matrix.elements =
        "float32, float64, complex64, complex128 or int32 in this machine's byte order";
    matrix.also = layout_reasons;
    matrix.copy = to_matrix;
    matrix.copy_helps = [](std::string_view rule) {
      return rule != "type" && rule != "device" && rule != "dimensions" && rule != "index-range";
    };
    return matrix;
  }();
  return form;
}

}  // namespace daptor::scalapack::detail
