// SPDX-License-Identifier: BSD-3-Clause
#include "show/axis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace daptor::show {
namespace {

/// The positions from the start of one stretch to the end of another.
Stretch together(const Stretch& first, const Stretch& last) {
  if (first.positions == last.positions) return first;
  Stretch all = first;
  all.positions.stop = last.positions.stop;
  all.part = Part::owned;
  all.mixed = true;
  all.last = last.holders;
  return all;
}

std::vector<Stretch> grouped(const Line& line, IndexRange positions, std::size_t most) {
  std::vector<Stretch> groups;
  const Index step = std::max<Index>(positions.size() / static_cast<Index>(most), 1);
  Index start = positions.start;
  while (start < positions.stop) {
    const bool is_last = groups.size() + 1 == most || positions.stop - start <= step;
    const Index aim = is_last ? positions.stop - 1 : start + step - 1;
    Stretch end = line.at(aim);
    // A region that goes on far beyond the group belongs to the next one.
    if (!is_last && end.positions.start > start &&
        end.positions.stop - aim > aim - end.positions.start)
      end = line.at(end.positions.start - 1);
    groups.push_back(together(line.at(start), end));
    start = end.positions.stop;
  }
  return groups;
}

std::vector<Stretch> folded(const Line& line, IndexRange positions, std::size_t most) {
  const std::size_t back = std::max<std::size_t>(most / 4, 1);
  const std::size_t front = std::max<std::size_t>(most - 1, back + 1) - back;
  std::vector<Stretch> regions;
  Index at = positions.start;
  while (regions.size() < front) {
    regions.push_back(line.at(at));
    at = regions.back().positions.stop;
  }
  std::vector<Stretch> tail;
  Index end = positions.stop;
  while (tail.size() < back) {
    tail.push_back(line.at(end - 1));
    end = tail.back().positions.start;
  }
  Stretch fold = together(line.at(at), line.at(end - 1));
  fold.mixed = true;
  fold.folded = true;
  fold.last = {};
  regions.push_back(fold);
  regions.insert(regions.end(), tail.rbegin(), tail.rend());
  return regions;
}

}  // namespace

Axis regions_of(const Line& line, IndexRange positions, const Most& most) {
  Axis axis;
  if (auto all = stretches(line, positions, most.regions)) {
    axis.regions = std::move(*all);
    return axis;
  }
  axis.scale = line.ordered() ? Scale::grouped : Scale::folded;
  axis.regions = line.ordered() ? grouped(line, positions, most.groups)
                                : folded(line, positions, std::max<std::size_t>(most.unfolded, 3));
  return axis;
}

Border border_between(const Stretch& a, const Stretch& b) {
  if (a.mixed || b.mixed || a.holders != b.holders) return Border::owner;
  return b.joined ? Border::none : Border::jump;
}

std::size_t border_count(const std::vector<Stretch>& regions) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < regions.size(); ++i)
    if (border_between(regions[i - 1], regions[i]) != Border::none) ++count;
  return count;
}

std::vector<int> share(int total, const std::vector<double>& weights,
                       const std::vector<int>& least) {
  std::vector<int> parts(least);
  std::vector<bool> fixed(weights.size(), false);
  double rest = total;
  double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  // Those whose proportional part is below their least get that; the others divide what is left.
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (fixed[i] || weights[i] * rest > least[i] * weight) continue;
      fixed[i] = again = true;
      rest -= least[i];
      weight -= weights[i];
    }
  }
  double passed = 0;
  int given = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (fixed[i]) continue;
    passed += weights[i];
    const int until = static_cast<int>(std::lround(rest * passed / weight));
    parts[i] = until - given;
    given = until;
  }
  return parts;
}

}  // namespace daptor::show
