// SPDX-License-Identifier: BSD-3-Clause
#include "box_reasons.hpp"

#include <algorithm>
#include <complex>

namespace daptor::fft::detail {
namespace {

std::optional<IndexRange> range_of(Index size, const Cyclic& cyclic) {
  if (cyclic.start >= size) return IndexRange{size, size};
  if (cyclic.grid.size == 1) return IndexRange{0, size};
  // Whether every process has at most one block.
  const Index blocks = (size - 1) / cyclic.block_size + 1;
  if (blocks > cyclic.grid.size) return std::nullopt;
  return IndexRange{cyclic.start, std::min(size - cyclic.start, cyclic.block_size) + cyclic.start};
}

std::string joined(const std::vector<Index>& values, const char* between) {
  std::string text;
  for (const Index value : values) {
    if (!text.empty()) text += between;
    text += std::to_string(value);
  }
  return text;
}

constexpr const char* copy_to_blocks =
    "Copy the array to blocks: daptor::redistributed(a, daptor::layout::blocks(), comm).";

}  // namespace

std::string shape_text(const std::vector<Index>& shape) {
  return joined(shape, " x ");
}

std::string corner_text(const std::vector<Index>& corner) {
  return "(" + joined(corner, ", ") + ")";
}

bool is_real(const DataType& type) {
  return type == DataType::of<double>() || type == DataType::of<float>();
}

bool is_complex(const DataType& type) {
  return type == DataType::of<std::complex<double>>() ||
         type == DataType::of<std::complex<float>>();
}

std::optional<IndexRange> owned_range(const Dimension& dimension) {
  const Index size = dimension.global_size();
  if (dimension.as<Undistributed>() != nullptr) return IndexRange{0, size};
  if (const auto* block = dimension.as<Block>()) return block->owned;
  if (const auto* cyclic = dimension.as<Cyclic>()) return range_of(size, *cyclic);
  return std::nullopt;
}

adapter::Reasons box_reasons(const DistArray& array) {
  adapter::Reasons reasons;
  const auto item = static_cast<Index>(array.type().itemsize());
  for (int d = 0; d < array.ndim(); ++d) {
    const Dimension& dimension = array.dimension(d);
    if (!owned_range(dimension))
      reasons.push_back(
          adapter::reason("fft.division", d,
                          dimension.dist_type() == 'c'
                              ? "indices that are dealt in turn, several blocks to a process"
                              : "a list of indices",
                          "one range of indices on each process", copy_to_blocks));
    const auto i = static_cast<std::size_t>(d);
    if (array.local_shape()[i] > 1 && array.byte_strides()[i] % item != 0)
      reasons.push_back(adapter::reason(
          "fft.strides", d, "a stride of " + std::to_string(array.byte_strides()[i]) + " bytes",
          "a multiple of the element's " + std::to_string(item) + " bytes", copy_to_blocks));
  }
  return reasons;
}

Box box_of(const DistArray& array) {
  Box box;
  box.shape = array.global_shape();
  const auto item = static_cast<Index>(array.type().itemsize());
  for (int d = 0; d < array.ndim(); ++d) {
    const IndexRange owned = *owned_range(array.dimension(d));
    box.lower.push_back(owned.start);
    box.upper.push_back(owned.stop);
    box.strides.push_back(array.byte_strides()[static_cast<std::size_t>(d)] / item);
  }
  return box;
}

}  // namespace daptor::fft::detail
