// SPDX-License-Identifier: BSD-3-Clause
#include "matrix_reasons.hpp"

#include <complex>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "daptor/adapter/copy_remedy.hpp"
#include "names.hpp"

namespace daptor::scalapack::detail {
namespace {

/// The name of the element type in C++; null where ScaLAPACK has no such elements.
const char* cpp_name(const DataType& type) {
  if (type == DataType::of<float>()) return "float";
  if (type == DataType::of<double>()) return "double";
  if (type == DataType::of<std::complex<float>>()) return "std::complex<float>";
  if (type == DataType::of<std::complex<double>>()) return "std::complex<double>";
  if (type == DataType::of<int>()) return "int";
  return nullptr;
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

const adapter::Form& matrix_form() {
  static const adapter::Form form = [] {
    adapter::Form matrix;
    matrix.id = "scalapack.matrix";
    matrix.holds = [](const DataType& type) { return type.native() && cpp_name(type) != nullptr; };
    matrix.elements =
        "float32, float64, complex64, complex128 or int32 in this machine's byte order";
    matrix.layout = adapter::Form::Layout::block_cyclic;
    matrix.matrix.vectors = matrix.matrix.gaps = true;
    matrix.matrix.row_major_remedy =
        "Import the transposed matrix, which is the same memory: " + names::transposed + ".";
    matrix.largest = std::numeric_limits<int>::max();
    matrix.largest_name = "as ScaLAPACK counts in 32 bits";
    matrix.largest_remedy = "Use more processes, or a part of the matrix.";
    matrix.copy = to_matrix;
    matrix.copy_helps = [](std::string_view rule) {
      return rule != "type" && rule != "device" && rule != "dimensions" && rule != "index-range";
    };
    return matrix;
  }();
  return form;
}

void require_dimensions(const Section& array) {
  adapter::Reasons reasons;
  adapter::matrix_dimensions_reason(matrix_form(), array, reasons);
  adapter::require_none(std::move(reasons));
}

}  // namespace daptor::scalapack::detail
