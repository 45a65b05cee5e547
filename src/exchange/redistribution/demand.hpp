// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/local_index_map.hpp"
#include "exchange/array_memory.hpp"

namespace daptor::detail {

/// The indices along one dimension that a process requests, as runs. `local_start` counts along a
/// dimension of its section, or, in a flat demand, row-major over a whole box of the section.
class DemandAlong {
 public:
  DemandAlong() = default;
  explicit DemandAlong(std::vector<IndexRun> runs) : runs_(std::move(runs)) {}
  /// The owned indices of a dimension, which are not stored.
  explicit DemandAlong(LocalDimensionMap owned) : owned_(std::move(owned)) {}

  template <class F>
  void for_each_run(F&& visit) const {
    if (owned_) return owned_->for_each_run(visit);
    for (const IndexRun& run : runs_) visit(run);
  }
  /// Number of indices in all runs.
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

/// The request of one process: the product of its requests along each dimension.
struct Demand {
  std::vector<DemandAlong> along;
  /// if true, not even the one element of an array without dimensions is requested
  bool nothing = false;

  static Demand of_nothing(std::size_t ndim) { return {std::vector<DemandAlong>(ndim), true}; }
};

/// The owned elements of a section; with `padding`, also its communication padding.
Demand demand_of(const LocalIndexMap& section, bool padding);

/// The same elements as one dimension, by their row-major numbers in the array.
Demand flat_demand_of(const LocalIndexMap& section, const FlatBox& box);

}  // namespace daptor::detail
