// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "daptor/dist_array.hpp"
#include "exchange/region.hpp"

namespace daptor::detail {

/// Elements of a section as one dimension, row-major over a box of its local indices.
struct FlatBox {
  std::vector<Index> shape;
  std::vector<Index> offset;  ///< local indices of the box's first element
};

/// The owned part of a section, or with `padding` all of it.
FlatBox flat_box(const DistArray& array, bool padding);

/// Where the elements of an array lie.
struct ArrayMemory {
  std::vector<Index> byte_strides;
  std::size_t itemsize = 1;
  /// Regions count row-major over it; empty: along the dimensions.
  std::optional<FlatBox> box = std::nullopt;

  static ArrayMemory of(const DistArray& array, const std::optional<FlatBox>& box = std::nullopt);
  Runs runs(const Region& region) const;
};

}  // namespace daptor::detail
