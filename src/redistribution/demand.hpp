#pragma once

#include <cstddef>
#include <vector>

#include "daptor/local_index_map.hpp"

namespace daptor::detail {

/// What one process asks for: the product of the runs along each dimension. `local_start` counts
/// along a dimension of its section, or row-major over a whole box of it (flat).
struct Demand {
  std::vector<std::vector<Run>> along;
  bool nothing = false;  ///< not even the one element of an array without dimensions

  static Demand of_nothing(std::size_t ndim) { return {std::vector<std::vector<Run>>(ndim), true}; }
};

/// Elements of a section as one dimension, row-major over a box of its local indices.
struct FlatBox {
  std::vector<Index> shape;
  std::vector<Index> offset;  ///< local indices of the box's first element
};

/// The owned part of a section, or with `padding` all of it.
FlatBox flat_box(const DistArray& array, bool padding);

/// The owned elements; with `padding` those of the communication padding too.
Demand demand_of(const LocalIndexMap& section, bool padding);

/// The same elements by their row-major numbers in the array, as one dimension.
Demand flat_demand_of(const LocalIndexMap& section, const FlatBox& box);

}  // namespace daptor::detail
