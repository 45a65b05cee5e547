// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "daptor/dist_array.hpp"
#include "exchange/redistribution/demand.hpp"
#include "exchange/region.hpp"

namespace daptor::detail {

/// Where the elements of one side lie.
struct ArrayMemory {
  std::vector<Index> byte_strides;
  std::size_t itemsize = 1;
  /// Regions count row-major over it; empty: along the dimensions.
  std::optional<FlatBox> box = std::nullopt;

  static ArrayMemory of(const DistArray& array, const std::optional<FlatBox>& box);
  Runs runs(const Region& region) const;
};

}  // namespace daptor::detail
