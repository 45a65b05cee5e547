// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/local_index_map.hpp"
#include "exchange/array_memory.hpp"

namespace daptor::detail {

/// Indices along one dimension that a process asks for, in runs. `local_start` counts along a
/// dimension of its section, or row-major over a whole box of it (flat).
class DemandAlong {
 public:
  DemandAlong() = default;
  explicit DemandAlong(std::vector<IndexRun> runs) : runs_(std::move(runs)) {}
  /// The owned indices of a dimension, which need not be written down.
  explicit DemandAlong(LocalDimensionMap owned) : owned_(std::move(owned)) {}

  template <class F>
  void for_each_run(F&& visit) const {
    if (owned_) return owned_->for_each_run(visit);
    for (const IndexRun& run : runs_) visit(run);
  }
  /// Of all runs.
  Index count() const {
    if (owned_) return owned_->owned_count();
    Index sum = 0;
    for (const IndexRun& run : runs_) sum += run.count;
    return sum;
  }

 private:
  std::optional<LocalDimensionMap> owned_;
  std::vector<IndexRun> runs_;
};

/// What one process asks for: the product of what it asks for along each dimension.
struct Demand {
  std::vector<DemandAlong> along;
  bool nothing = false;  ///< not even the one element of an array without dimensions

  static Demand of_nothing(std::size_t ndim) { return {std::vector<DemandAlong>(ndim), true}; }
};

/// The owned elements; with `padding` those of the communication padding too.
Demand demand_of(const LocalIndexMap& section, bool padding);

/// The same elements by their row-major numbers in the array, as one dimension.
Demand flat_demand_of(const LocalIndexMap& section, const FlatBox& box);

}  // namespace daptor::detail
