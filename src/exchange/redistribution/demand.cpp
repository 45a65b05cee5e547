// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/demand.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace daptor::detail {
namespace {

void append(std::vector<IndexRun>& runs, const IndexRun& more) {
  if (more.count == 0) return;
  if (!runs.empty() && runs.back().local_start + runs.back().count == more.local_start &&
      // Indices of a list may have any value, so avoid overflow.
      more.global_start > runs.back().global_start &&
      static_cast<std::uint64_t>(more.global_start) -
              static_cast<std::uint64_t>(runs.back().global_start) ==
          static_cast<std::uint64_t>(runs.back().count))
    runs.back().count += more.count;
  else
    runs.push_back(more);
}

std::vector<IndexRun> runs_along(const LocalDimensionMap& section, bool padding) {
  std::vector<IndexRun> runs;
  Index next = 0;
  const auto add_padding = [&](Index stop) {
    for (; padding && next < stop; ++next) append(runs, {next, section.global_of(next), 1});
  };
  section.for_each_run([&](const IndexRun& run) {
    add_padding(run.local_start);
    append(runs, run);
    next = run.local_start + run.count;
  });
  add_padding(section.local_extent());
  return runs;
}

}  // namespace

Demand demand_of(const LocalIndexMap& section, bool padding) {
  Demand demand;
  for (int d = 0; d < section.ndim(); ++d) {
    if (padding)
      demand.along.emplace_back(runs_along(section.dimension(d), true));
    else
      demand.along.emplace_back(section.dimension(d));
  }
  return demand;
}

Demand flat_demand_of(const LocalIndexMap& section, const FlatBox& box) {
  const std::size_t ndim = box.shape.size();
  std::vector<IndexRun> runs;
  const bool empty = std::find(box.shape.begin(), box.shape.end(), 0) != box.shape.end();
  if (empty) return Demand::of_nothing(1);
  // Dimensions before the last are expanded index by index; runs are along the last dimension.
  std::vector<std::vector<Index>> globals(ndim);
  Index rows = 1;
  for (std::size_t d = 0; d + 1 < ndim; ++d) {
    const LocalDimensionMap& along = section.dimension(static_cast<int>(d));
    for (Index i = 0; i < box.shape[d]; ++i)
      globals[d].push_back(along.global_of(box.along[d].position(i)));
    rows *= box.shape[d];
  }
  std::vector<IndexRun> row{{0, 0, 1}};
  if (ndim > 0) {
    const LocalDimensionMap& last = section.dimension(static_cast<int>(ndim - 1));
    row = runs_along(last, box.shape.back() == last.local_extent());
    Index number = 0;  // among the elements of the box
    for (IndexRun& run : row) {
      run.local_start = number;
      number += run.count;
    }
  }
  std::vector<Index> at(ndim, 0);
  std::vector<Index> global(ndim, 0);
  const Index length = ndim > 0 ? box.shape.back() : 1;
  for (Index r = 0; r < rows; ++r) {
    for (std::size_t d = 0; d + 1 < ndim; ++d)
      global[d] = globals[d][static_cast<std::size_t>(at[d])];
    for (const IndexRun& run : row) {
      if (ndim > 0) global.back() = run.global_start;
      append(runs,
             {r * length + run.local_start, ndim > 0 ? section.natural_of(global) : 0, run.count});
    }
    for (std::size_t d = ndim > 0 ? ndim - 1 : 0; d-- > 0;) {
      if (++at[d] < box.shape[d]) break;
      at[d] = 0;
    }
  }
  Demand demand;
  demand.along.emplace_back(std::move(runs));
  return demand;
}

}  // namespace daptor::detail
