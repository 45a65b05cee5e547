// SPDX-License-Identifier: BSD-3-Clause
#include "forms.hpp"

#include <limits>
#include <string>
#include <string_view>

#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "daptor/fft/adapter/names.hpp"
#include "daptor/fft/box.hpp"

namespace daptor::fft::detail {
namespace {

adapter::Form form_with(Suggestion (*copy)(const Section&)) {
  adapter::Form form;
  form.id = "fft";
  form.aligned = false;
  form.layout = adapter::Form::Layout::box;
  form.copy = copy;
  form.copy_helps = [](std::string_view rule) {
    return rule == "division" || rule == "strides" || rule == "gaps" || rule == "slab";
  };
  return form;
}

void gaps_reason(const Terms& found, int dimension, adapter::Reasons& reasons) {
  reasons.push_back(adapter::reason("fft.gaps", dimension, found,
                                    "the elements of the process without gaps",
                                    names::transform + " works on the array as it is."));
}

void add_padding_reason(const Section& array, adapter::Reasons& reasons) {
  for (int d = 0; d < array.ndim(); ++d) {
    const Padding padding = array.dimension(d).communication_padding();
    if (padding.total() == 0) continue;
    return gaps_reason("communication padding of " + std::to_string(padding.lower) + " and " +
                           std::to_string(padding.upper),
                       d, reasons);
  }
}

void add_tile_reasons(const Section& array, adapter::Reasons& reasons) {
  if (array.ndim() != 2 && array.ndim() != 3)
    reasons.push_back(adapter::reason("fft.ndim", std::to_string(array.ndim()) + " dimensions",
                                      "two or three, as fftMPI has them",
                                      names::transform + " takes any number of dimensions."));
  if (!reasons.empty()) return;
  for (int d = 0; d < array.ndim(); ++d)
    adapter::count_reason(tile_form(), "a size", array.dimension(d).global_size(), reasons, d);
  const std::size_t before = reasons.size();
  add_padding_reason(array, reasons);
  const Box box = fft::box(array);
  if (reasons.size() == before && !box.packed())
    gaps_reason("strides " + adapter::tuple_text(box.strides), -1, reasons);
}

void add_slab_reasons(const Section& array, adapter::Reasons& reasons) {
  if (array.ndim() == 0)
    reasons.push_back(adapter::reason("fft.ndim", "an array without dimensions",
                                      "at least one dimension", "Describe it with dimensions."));
  add_padding_reason(array, reasons);
  int divided = 0;
  for (const Dimension& dimension : array.dimensions())
    if (dimension.grid().size > 1) ++divided;
  if (divided > 1)
    reasons.push_back(adapter::reason(
        "fft.slab", "a grid of processes in " + std::to_string(divided) + " dimensions",
        "one dimension that is divided", "Pass corners instead: " + names::box + "."));
}

}  // namespace

const adapter::Form& box_form() {
  static const adapter::Form form = [] {
    adapter::Form box = form_with(adapter::copy_to_blocks);
    // Numbers alone, of memory wherever it is.
    box.reaches = [](MemorySpace) { return true; };
    return box;
  }();
  return form;
}

const adapter::Form& tile_form() {
  static const adapter::Form form = [] {
    adapter::Form tile = form_with(adapter::copy_to_blocks);
    tile.holds = is_complex;
    tile.elements = "complex64 or complex128";
    tile.type_remedy = [](const DataType&) {
      return "Pass pairs of real numbers as " + names::complex_view + ". " + names::transform +
             " takes real numbers too.";
    };
    tile.also = add_tile_reasons;
    tile.largest = std::numeric_limits<int>::max();
    tile.largest_name = "as fftMPI counts in int";
    tile.largest_remedy = names::transform + " counts in 64 bits.";
    return tile;
  }();
  return form;
}

const adapter::Form& slab_form() {
  static const adapter::Form form = [] {
    adapter::Form slab = form_with(adapter::copy_to_slabs);
    slab.holds = [](const DataType& type) { return is_complex(type) || is_real(type); };
    slab.elements = "float32, float64, complex64 or complex128";
    slab.also = add_slab_reasons;
    return slab;
  }();
  return form;
}

}  // namespace daptor::fft::detail
