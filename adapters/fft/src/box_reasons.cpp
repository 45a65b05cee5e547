// SPDX-License-Identifier: BSD-3-Clause
#include "box_reasons.hpp"

#include <algorithm>
#include <string>

#include "daptor/adapter/copy_remedy.hpp"

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

}  // namespace

std::optional<IndexRange> owned_range(const Dimension& dimension) {
  const Index size = dimension.global_size();
  if (dimension.as<Undistributed>() != nullptr) return IndexRange{0, size};
  if (const auto* block = dimension.as<Block>()) return block->owned;
  if (const auto* cyclic = dimension.as<Cyclic>()) return range_of(size, *cyclic);
  return std::nullopt;
}

adapter::Reasons box_reasons(const Section& array) {
  adapter::Reasons reasons;
  const auto item = static_cast<Index>(array.type().itemsize());
  for (int d = 0; d < array.ndim(); ++d) {
    const Dimension& dimension = array.dimension(d);
    if (!owned_range(dimension))
      reasons.push_back(adapter::reason(
          "fft.division", d,
          dimension.dist_type() == 'c'
              ? "indices that are dealt in turn, several blocks to a process"
              : "a list of indices",
          "one range of indices on each process", "", adapter::copy_to_blocks(array)));
    const auto i = static_cast<std::size_t>(d);
    if (array.local_shape()[i] > 1 && array.byte_strides()[i] % item != 0)
      reasons.push_back(adapter::reason(
          "fft.strides", d, "a stride of " + std::to_string(array.byte_strides()[i]) + " bytes",
          "a multiple of the element's " + std::to_string(item) + " bytes", "",
          adapter::copy_to_blocks(array)));
  }
  return reasons;
}

Box box_of(const Section& array) {
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

void require_strides(const Box& box) {
  if (box.strides.empty() || box.strides.size() == box.shape.size()) return;
  adapter::refuse_argument(
      "fft.strides", std::to_string(box.strides.size()) + " strides",
      "none, or one for each of " + std::to_string(box.shape.size()) + " dimensions",
      "Leave them out for packed boxes in row-major order.");
}

}  // namespace daptor::fft::detail
