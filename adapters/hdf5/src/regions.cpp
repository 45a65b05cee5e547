// SPDX-License-Identifier: BSD-3-Clause
#include "regions.hpp"

#include <algorithm>
#include <limits>

#include "daptor/adapter/extents.hpp"
#include "daptor/builders.hpp"

namespace daptor::hdf5::detail {
namespace {

/// Dimensions of one element, whose strides mean nothing, left out; strides in elements.
struct Compact {
  std::vector<Index> shape, strides;
};

std::optional<Compact> compact(const std::vector<Index>& shape,
                               const std::vector<Index>& byte_strides, Index itemsize) {
  Compact compact;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    if (byte_strides[d] <= 0 || byte_strides[d] % itemsize != 0) return std::nullopt;
    compact.shape.push_back(shape[d]);
    compact.strides.push_back(byte_strides[d] / itemsize);
  }
  return compact;
}

Index ceiling(Index size, Index unit) {
  return size / unit + (size % unit == 0 ? 0 : 1);
}

/// The product, or the largest number.
Index saturated(const std::vector<Index>& factors) {
  return adapter::product(factors).value_or(std::numeric_limits<Index>::max());
}

}  // namespace

std::optional<MemoryRegion> memory_region(const std::vector<Index>& shape,
                                          const std::vector<Index>& byte_strides,
                                          std::size_t itemsize) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return MemoryRegion{{0}, {0}, 1};
  const auto elements = compact(shape, byte_strides, static_cast<Index>(itemsize));
  if (!elements) return std::nullopt;
  if (elements->shape.empty()) return MemoryRegion{{1}, {1}, 1};
  const auto& [counts, strides] = *elements;
  const std::size_t last = counts.size() - 1;
  MemoryRegion region{counts, counts, strides[last]};
  // From the last dimension on: how many elements the extents below hold.
  Index below = 1;
  for (std::size_t d = last; d > 0; --d) {
    const Index reach = (counts[d] - 1) * (d == last ? region.step : 1) + 1;
    if (strides[d - 1] % below != 0 || strides[d - 1] / below < reach) return std::nullopt;
    region.extent[d] = strides[d - 1] / below;
    below = strides[d - 1];
  }
  if (last == 0) region.extent[0] = (counts[0] - 1) * region.step + 1;
  return region;
}

IndexRange Stages::part(Index number, GridPosition process) const {
  const IndexRange whole = stage(number);
  const IndexRange units = even_block(ceiling(whole.size(), unit), process);
  return {std::min(whole.start + units.start * unit, whole.stop),
          std::min(whole.start + units.stop * unit, whole.stop)};
}

IndexRange Stages::stage(Index number) const {
  const Index start = number * stage_size;
  return {start, start + std::min(stage_size, size - start)};
}

Stages make_stages(const std::vector<Index>& shape, std::size_t itemsize, int processes,
                   Index memory_bytes, const std::vector<Index>& chunks) {
  Stages stages;
  if (shape.empty()) return stages;
  // The first dimension that every process can have a part of, so that parts are long runs.
  std::vector<Index> units = shape;
  for (std::size_t d = 0; d < chunks.size(); ++d) units[d] = ceiling(shape[d], chunks[d]);
  const auto first =
      std::find_if(units.begin(), units.end(), [&](Index count) { return count >= processes; });
  const auto chosen = first != units.end() ? first : std::max_element(units.begin(), units.end());
  stages.dimension = static_cast<int>(chosen - units.begin());
  const auto divided = static_cast<std::size_t>(stages.dimension);
  stages.size = shape[divided];
  if (!chunks.empty()) stages.unit = chunks[divided];
  if (saturated(shape) == 0) {
    stages.count = 0;
    return stages;
  }
  std::vector<Index> row = shape;
  row[divided] = static_cast<Index>(itemsize);
  const Index rows_of_process = std::max<Index>(1, memory_bytes / saturated(row));
  stages.stage_size = std::min(stages.size, saturated({rows_of_process, processes}));
  const Index whole = std::max<Index>(stages.stage_size / stages.unit, 1) * stages.unit;
  stages.stage_size = std::min(stages.size, whole);
  stages.count = (stages.size - 1) / stages.stage_size + 1;
  return stages;
}

}  // namespace daptor::hdf5::detail
