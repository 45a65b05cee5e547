// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>
#include <vector>

#include "daptor/adapter/routed.hpp"
#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "proof/index_counts.hpp"

namespace daptor::validation {
namespace {

/// The indices [start, stop), which are in one part of the range.
struct Run {
  Index start;
  Index stop;
};

/// The runs of a list, cut where one part ends and the next begins. Indices outside the range
/// belong to the last part.
std::vector<adapter::Routed<Run>> cut(const IndexList& indices, const Parts& parts, int ranks) {
  std::vector<adapter::Routed<Run>> runs;
  const auto add = [&](Run run) {
    while (run.start < run.stop) {
      const int part = parts.part_of(run.start);
      const Index end = part == ranks - 1 ? run.stop : parts.first(part) + parts.length();
      runs.push_back({part, {run.start, std::min(run.stop, end)}});
      run.start = runs.back().item.stop;
    }
  };
  for (Index i = 0; i < indices.size();) {
    Index end = i + 1;
    while (end < indices.size() && follows(indices[end], indices[end - 1])) ++end;
    add({indices[i], indices[end - 1] + 1});
    i = end;
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const auto& a, const auto& b) { return a.rank < b.rank; });
  return runs;
}

Census sweep(std::vector<Run> runs) {
  std::sort(runs.begin(), runs.end(), [](Run a, Run b) { return a.start < b.start; });
  Census census;
  Index once = 0;  // ends of the indices seen at least once, and at least twice
  Index twice = 0;
  for (const Run& run : runs) {
    census.distinct += std::max<Index>(0, run.stop - std::max(run.start, once));
    const Index overlap = std::min(run.stop, once);
    const Index first = std::max(run.start, twice);
    if (overlap > first) {
      census.duplicated += overlap - first;
      if (!census.lowest_twice) census.lowest_twice = first;
    }
    twice = std::max(twice, overlap);
    once = std::max(once, run.stop);
  }
  return census;
}

}  // namespace

Census count_runs(const IndexList& indices, Index global_size, const Comm& comm) {
  const auto sent = agreed(comm, [&] {
    detail::fault_point("core.validate.index_runs");
    return adapter::to_messages(cut(indices, Parts(global_size, comm.size()), comm.size()));
  });
  const auto received = comm->exchange(sent);
  return agreed(comm, [&] { return sweep(adapter::items_of<Run>(received)); });
}

}  // namespace daptor::validation
