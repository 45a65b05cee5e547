// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/real_and_spectrum.hpp"

#include <algorithm>
#include <complex>
#include <string>
#include <utility>

#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "daptor/fft/adapter/names.hpp"

namespace daptor::fft {
namespace {

void require_last(const std::vector<Dimension>& dimensions) {
  for (const Dimension& dimension : dimensions) {
    dimension.defect().raise();
    if (dimension.communication_padding().total() > 0)
      adapter::refuse_argument("fft.gaps", "communication padding",
                               "an array without it: rows have room for the spectrum instead",
                               "Use two arrays: " + names::transform + " skips padding.");
  }
  if (dimensions.empty())
    adapter::refuse_argument("fft.last", "an array without dimensions", "at least one dimension",
                             "Describe it with dimensions.");
  const Dimension& last = dimensions.back();
  const bool list = last.as<Unstructured>() != nullptr;
  if (list || last.grid().size > 1)
    adapter::refuse_argument(
        "fft.last",
        list ? "a last dimension that is a list of indices"
             : "a last dimension that is divided among " + std::to_string(last.grid().size) +
                   " processes",
        "a last dimension that is whole on every process",
        "Distribute other dimensions: " + names::undistributed + " for the last one.");
}

std::vector<Dimension> of_spectrum(std::vector<Dimension> dimensions) {
  dimensions.back() = undistributed(dimensions.back().global_size() / 2 + 1);
  return dimensions;
}

std::vector<Index> real_strides(const std::vector<Dimension>& dimensions, Index item) {
  std::vector<Index> strides(dimensions.size(), item);
  Index row = 2 * (dimensions.back().global_size() / 2 + 1) * item;
  for (std::size_t d = dimensions.size() - 1; d-- > 0;) {
    strides[d] = row;
    row *= std::max<Index>(1, dimensions[d].local_extent());
  }
  return strides;
}

/// Both descriptions with the first one's memory and state.
RealAndSpectrum both(const DataType& type, void* data, std::vector<Dimension> dimensions,
                     const std::shared_ptr<const void>& owner) {
  const Section spectrum =
      daptor::describe(complex_of(type), data, of_spectrum(dimensions), Order::c, false, owner);
  spectrum.defect().raise();
  std::vector<Index> shape;
  shape.reserve(dimensions.size());
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.local_extent());
  Buffer buffer(type, std::move(shape),
                real_strides(dimensions, static_cast<Index>(type.itemsize())), data, false,
                spectrum.buffer().state());
  return {Section(spectrum.version(), std::move(buffer), std::move(dimensions)), spectrum};
}

RealAndSpectrum with_defect(Defect defect) {
  return {Section(defect), Section(std::move(defect))};
}

void require_real(const DataType& type) {
  if (is_real(type)) return;
  adapter::refuse_argument("fft.type", "elements of " + type.name(), "float32 or float64",
                           "Pass the type of the real numbers.");
}

}  // namespace

Index real_and_spectrum_count(const std::vector<Dimension>& dimensions) {
  std::vector<Index> extents;
  for (const Dimension& dimension : dimensions) {
    if (dimension.defect()) return 0;
    extents.push_back(dimension.local_extent());
  }
  if (extents.empty()) return 0;
  extents.back() = extents.back() / 2 + 1;
  extents.push_back(2);
  return adapter::product(extents).value_or(0);
}

RealAndSpectrum real_and_spectrum(const DataType& type, void* data, Index length,
                                  std::vector<Dimension> dimensions,
                                  std::shared_ptr<const void> owner) {
  return deferred(
      [&] {
        require_real(type);
        require_last(dimensions);
        const Index count = real_and_spectrum_count(dimensions);
        if (length < count)
          adapter::refuse_argument("fft.capacity", std::to_string(length) + " elements",
                                   std::to_string(count) +
                                       ", with room for the spectrum in every "
                                       "row",
                                   "Allocate " + names::spectrum_count + ".");
        return both(type, data, std::move(dimensions), owner);
      },
      with_defect);
}

RealAndSpectrum allocate_real_and_spectrum(const DataType& type,
                                           std::vector<Dimension> dimensions) {
  return deferred(
      [&] {
        require_real(type);
        require_last(dimensions);
        const Section memory =
            daptor::allocate(type, {undistributed(real_and_spectrum_count(dimensions))});
        memory.defect().raise();
        return both(type, memory.mutable_data(), std::move(dimensions),
                    std::make_shared<Section>(memory));
      },
      with_defect);
}

}  // namespace daptor::fft
