// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "daptor/section.hpp"
#include "exchange/region.hpp"

namespace daptor::detail {

/// The elements at a product of local indices along each dimension, numbered row-major as one
/// dimension.
struct FlatBox {
  std::vector<Index> shape;
  std::vector<OwnedPart> along;
};

/// The owned elements of a section; with `padding`, all.
FlatBox flat_box(const Section& array, bool padding);

/// Where the elements of an array are in memory.
struct ArrayMemory {
  std::vector<Index> byte_strides;
  std::size_t itemsize = 1;
  /// If set, regions number elements row-major over this box; otherwise they have one index per
  /// dimension.
  std::optional<FlatBox> box = std::nullopt;

  static ArrayMemory of(const Section& array, const std::optional<FlatBox>& box = std::nullopt);
  MemoryRuns runs(const Region& region) const;
};

}  // namespace daptor::detail
