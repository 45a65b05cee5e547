// SPDX-License-Identifier: BSD-3-Clause
#include "show/segments.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace daptor::show {
namespace {

bool overlapping(const std::vector<Owned>& sorted) {
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].globals.start < sorted[i - 1].globals.stop) return true;
  return false;
}

std::vector<Segment> side_by_side(const std::vector<Owned>& sorted) {
  std::vector<Segment> segments;
  for (const Owned& one : sorted) {
    const Holders holders{one.grid_rank, 1};
    if (!segments.empty() && segments.back().globals.stop == one.globals.start &&
        segments.back().holders == holders)
      segments.back().globals.stop = one.globals.stop;
    else
      segments.push_back({one.globals, holders});
  }
  return segments;
}

struct Event {
  Index at = 0;
  bool enters = false;
  Index grid_rank = 0;
};

std::vector<Event> events_of(const std::vector<Owned>& owned) {
  std::vector<Event> events;
  events.reserve(2 * owned.size());
  for (const Owned& one : owned) {
    events.push_back({one.globals.start, true, one.grid_rank});
    events.push_back({one.globals.stop, false, one.grid_rank});
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::pair(a.at, a.grid_rank) < std::pair(b.at, b.grid_rank);
  });
  return events;
}

/// Takes the events at one place; a grid rank that leaves and enters there stays.
void apply(const Event* begin, const Event* end, std::multiset<Index>& present, bool& changed) {
  for (const Event* event = begin; event != end; ++event) {
    const bool passes_on = end - event > 1 && event[1].grid_rank == event->grid_rank &&
                           event[1].enters != event->enters;
    if (passes_on) {
      ++event;
      continue;
    }
    changed = true;
    if (event->enters)
      present.insert(event->grid_rank);
    else
      present.erase(present.find(event->grid_rank));
  }
}

std::vector<Segment> swept(const std::vector<Owned>& owned) {
  const std::vector<Event> events = events_of(owned);
  std::vector<Segment> segments;
  std::multiset<Index> present;
  Index since = 0;
  for (std::size_t i = 0; i < events.size();) {
    std::size_t next = i;
    while (next < events.size() && events[next].at == events[i].at) ++next;
    const Index at = events[i].at;
    const Holders before{present.empty() ? 0 : *present.begin(),
                         static_cast<Index>(present.size())};
    bool changed = false;
    apply(events.data() + i, events.data() + next, present, changed);
    if (changed) {
      if (before.count > 0) segments.push_back({{since, at}, before});
      since = at;
    }
    i = next;
  }
  return segments;
}

}  // namespace

std::vector<Segment> segments_of(std::vector<Owned> owned) {
  owned.erase(std::remove_if(owned.begin(), owned.end(),
                             [](const Owned& one) { return one.globals.empty(); }),
              owned.end());
  std::sort(owned.begin(), owned.end(), [](const Owned& a, const Owned& b) {
    return std::pair(a.globals.start, a.grid_rank) < std::pair(b.globals.start, b.grid_rank);
  });
  return overlapping(owned) ? swept(owned) : side_by_side(owned);
}

}  // namespace daptor::show
