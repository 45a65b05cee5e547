// SPDX-License-Identifier: BSD-3-Clause
#include "tile_reasons.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "daptor/fft/adapter/names.hpp"

namespace daptor::fft::detail {
namespace {

void gaps_reason(const Section& array, const Box& box, adapter::Reasons& reasons) {
  const Terms remedy = names::transform + " works on the array as it is.";
  for (int d = 0; d < array.ndim(); ++d)
    if (const Padding padding = array.dimension(d).communication_padding(); padding.total() > 0) {
      reasons.push_back(adapter::reason(
          "fft.gaps", d,
          "communication padding of " + std::to_string(padding.lower) + " and " +
              std::to_string(padding.upper),
          "the elements of the process without gaps", remedy, adapter::copy_to_blocks(array)));
      return;
    }
  if (!box.packed())
    reasons.push_back(adapter::reason("fft.gaps", "strides " + adapter::tuple_text(box.strides),
                                      "the elements of the process without gaps", remedy,
                                      adapter::copy_to_blocks(array)));
}

void add_box_reasons(const Section& array, adapter::Reasons& reasons) {
  for (Finding& finding : box_reasons(array)) reasons.push_back(std::move(finding));
}

void add_tile_reasons(const Section& array, adapter::Reasons& reasons) {
  add_box_reasons(array, reasons);
  if (array.ndim() != 2 && array.ndim() != 3)
    reasons.push_back(adapter::reason("fft.ndim", std::to_string(array.ndim()) + " dimensions",
                                      "two or three, as fftMPI has them",
                                      names::transform + " takes any number of dimensions."));
  if (!reasons.empty()) return;
  const Box box = box_of(array);
  for (int d = 0; d < array.ndim(); ++d)
    if (box.shape[static_cast<std::size_t>(d)] > std::numeric_limits<int>::max())
      reasons.push_back(adapter::reason(
          "fft.index-range", d,
          "a size of " + std::to_string(box.shape[static_cast<std::size_t>(d)]),
          "at most 2147483647, as fftMPI counts in int", names::transform + " counts in 64 bits."));
  gaps_reason(array, box, reasons);
}

void add_slab_reasons(const Section& array, adapter::Reasons& reasons) {
  add_box_reasons(array, reasons);
  if (array.ndim() == 0)
    reasons.push_back(adapter::reason("fft.ndim", "an array without dimensions",
                                      "at least one dimension", "Describe it with dimensions."));
  int divided = 0;
  for (int d = 0; d < array.ndim(); ++d) {
    if (array.dimension(d).grid().size > 1) ++divided;
    if (const Padding padding = array.dimension(d).communication_padding(); padding.total() > 0)
      reasons.push_back(adapter::reason(
          "fft.gaps", d, "communication padding", "the elements of the process without gaps",
          names::transform + " works on the array as it is.", adapter::copy_to_slabs(array)));
  }
  if (divided > 1)
    reasons.push_back(adapter::reason(
        "fft.slab", "a grid of processes in " + std::to_string(divided) + " dimensions",
        "one dimension that is divided", "Pass corners instead: " + names::box + ".",
        adapter::copy_to_slabs(array)));
}

}  // namespace

const adapter::Form& tile_form() {
  static const adapter::Form form = [] {
    adapter::Form tile;
    tile.id = "fft";
    tile.holds = is_complex;
    tile.elements = "complex64 or complex128";
    tile.type_remedy = [](const DataType&) {
      return "Pass pairs of real numbers as " + names::complex_view + ". " + names::transform +
             " takes real numbers too.";
    };
    tile.aligned = false;
    tile.also = add_tile_reasons;
    return tile;
  }();
  return form;
}

const adapter::Form& slab_form() {
  static const adapter::Form form = [] {
    adapter::Form slab;
    slab.id = "fft";
    slab.holds = [](const DataType& type) { return is_complex(type) || is_real(type); };
    slab.elements = "float32, float64, complex64 or complex128";
    slab.aligned = false;
    slab.also = add_slab_reasons;
    return slab;
  }();
  return form;
}

void require_tile(const Tile& tile) {
  const std::size_t ndim = tile.sizes.size();
  std::vector<int> sorted = tile.dimensions;
  std::sort(sorted.begin(), sorted.end());
  bool right = sorted.size() == ndim && tile.lower.size() == ndim && tile.upper.size() == ndim;
  for (std::size_t i = 0; right && i < ndim; ++i)
    right = sorted[i] == static_cast<int>(i) && tile.lower[i] >= 0 &&
            tile.upper[i] >= tile.lower[i] - 1 && tile.upper[i] < tile.sizes[i];
  if (right) return;
  adapter::refuse_argument("fft.corners",
                           "dimensions " + adapter::tuple_text(tile.dimensions) + ", sizes " +
                               adapter::tuple_text(tile.sizes) + ", from " +
                               adapter::tuple_text(tile.lower) + " to " +
                               adapter::tuple_text(tile.upper),
                           "each dimension once, and 0 <= lower <= upper + 1 <= size",
                           "`upper` is the last index of the tile, or lower - 1.");
}

}  // namespace daptor::fft::detail
