// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "daptor/adapter/routed.hpp"
#include "daptor/call.hpp"
#include "proof/index_counts.hpp"
#include "ranks/crossing.hpp"

namespace daptor::proof {
namespace {

/// The indices [start, stop), which are in one part of the range, and whether several lists are
/// known to have all of them.
struct Run {
  Index start;
  Index stop;
  std::int64_t twice;
};

/// The runs of a list, cut where one part ends and the next begins. Indices outside the range
/// belong to the last part.
std::vector<adapter::Routed<Run>> cut(const IndexList& indices, const Parts& parts, int ranks) {
  std::vector<adapter::Routed<Run>> runs;
  const auto add = [&](Run run) {
    while (run.start < run.stop) {
      const int part = parts.part_of(run.start);
      const Index end = part == ranks - 1 ? run.stop : parts.first(part) + parts.length();
      runs.push_back({part, {run.start, std::min(run.stop, end), 0}});
      run.start = runs.back().item.stop;
    }
  };
  for (Index i = 0; i < indices.size();) {
    Index end = i + 1;
    while (end < indices.size() && follows(indices[end], indices[end - 1])) ++end;
    add({indices[i], indices[end - 1] + 1, 0});
    i = end;
  }
  return runs;
}

/// Calls `once(start, stop)` for the indices of all runs, in ranges that do not overlap, and
/// `twice(start, stop)` for those that several lists have. The ranges increase.
template <class Once, class Twice>
void sweep(std::vector<Run> runs, const Once& once, const Twice& twice) {
  std::sort(runs.begin(), runs.end(), [](Run a, Run b) { return a.start < b.start; });
  Index end_once = 0;  // ends of the indices seen at least once, and at least twice
  Index end_twice = 0;
  for (const Run& run : runs) {
    const Index fresh = std::max(run.start, end_once);
    if (run.stop > fresh) once(fresh, run.stop);
    const Index overlap = run.twice != 0 ? run.stop : std::min(run.stop, end_once);
    const Index first = std::max(run.start, end_twice);
    if (overlap > first) twice(first, overlap);
    end_twice = std::max(end_twice, overlap);
    end_once = std::max(end_once, run.stop);
  }
}

Census census_of_runs(const std::vector<Message>& messages) {
  Census census;
  sweep(
      adapter::items_of<Run>(messages),
      [&](Index start, Index stop) { census.distinct += stop - start; },
      [&](Index start, Index stop) {
        census.duplicated += stop - start;
        if (!census.lowest_twice) census.lowest_twice = start;
      });
  return census;
}

/// The runs in these messages, joined where they overlap or touch; what several lists have is there
/// a second time, as such.
std::vector<Run> joined_runs(const std::vector<Message>& messages, const Parts& parts) {
  std::vector<Run> runs;
  std::vector<Run> repeated;
  const auto append = [&](std::vector<Run>& list, Run run) {
    const bool touches = !list.empty() && list.back().stop == run.start &&
                         parts.part_of(list.back().start) == parts.part_of(run.start);
    if (touches)
      list.back().stop = run.stop;
    else
      list.push_back(run);
  };
  sweep(
      adapter::items_of<Run>(messages),
      [&](Index start, Index stop) {
        append(runs, {start, stop, 0});
      },
      [&](Index start, Index stop) {
        append(repeated, {start, stop, 1});
      });
  runs.insert(runs.end(), repeated.begin(), repeated.end());
  return runs;
}

}  // namespace

Census count_runs(const IndexList& indices, Index global_size, Call& call) {
  const int ranks = call.comm().size();
  const Parts parts(global_size, ranks);
  const auto mine = [&] { return cut(indices, parts, ranks); };
  const auto joined = [&](const std::vector<Message>& messages) {
    std::vector<adapter::Routed<Run>> runs;
    for (const Run& run : joined_runs(messages, parts))
      runs.push_back({std::min(parts.part_of(run.start), ranks - 1), run});
    return runs;
  };
  const auto received = detail::send_to_keepers(call, mine, joined);
  return call.check([&] { return census_of_runs(received); });
}

}  // namespace daptor::proof
