// SPDX-License-Identifier: BSD-3-Clause
#include "show/layout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace daptor::show {
namespace {

Border border_between(const Stretch& a, const Stretch& b) {
  if (a.folded || b.folded || a.holders != b.holders) return Border::owner;
  return b.joined ? Border::none : Border::jump;
}

int border_count(const std::vector<Stretch>& regions) {
  int count = 0;
  for (std::size_t i = 1; i < regions.size(); ++i)
    if (border_between(regions[i - 1], regions[i]) != Border::none) ++count;
  return count;
}

void place(Track& track, int line) {
  int at = 0;
  for (std::size_t i = 0; i < track.sizes.size(); ++i) {
    if (i > 0 && border_between(track.regions[i - 1], track.regions[i]) != Border::none) at += line;
    track.starts.push_back(at);
    at += track.sizes[i];
  }
}

/// Divides `total` among regions in proportion to `weights`, so that none gets less than its
/// `least`. `total` must be at least the sum of these. Regions of equal weight get equal lengths.
std::vector<int> share(int total, const std::vector<double>& weights,
                       const std::vector<int>& least) {
  std::vector<int> parts(least);
  std::vector<bool> fixed(weights.size(), false);
  double rest = total;
  double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  // Regions whose proportional part is below their least length get the least length; the others
  // divide the rest.
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (fixed[i] || weights[i] * rest > least[i] * weight) continue;
      fixed[i] = again = true;
      rest -= least[i];
      weight -= weights[i];
    }
  }
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (!fixed[i]) parts[i] = static_cast<int>(rest * weights[i] / weight + 0.01);
  return parts;
}

/// A track with a cell for each position, if that fits.
bool fit_cells(Track& track, Index extent, const Room& room) {
  const int most = room.most - room.line * border_count(track.regions);
  const auto cell = std::find_if(room.cells.begin(), room.cells.end(),
                                 [&](int size) { return most > 0 && extent <= most / size; });
  if (cell == room.cells.end()) return false;
  track.cell = *cell;
  for (const Stretch& region : track.regions)
    track.sizes.push_back(static_cast<int>(region.positions.size()) * *cell);
  return true;
}

/// A track with regions to scale, none smaller than its least length, if that fits.
bool fit_to_scale(Track& track, const Room& room) {
  std::vector<int> least;
  std::vector<double> weights;
  for (const Stretch& region : track.regions) {
    const bool named = region.part == Part::owned && region.holders.count > 0;
    least.push_back(named ? room.named : room.least);
    weights.push_back(static_cast<double>(region.positions.size()));
  }
  const int needed = std::accumulate(least.begin(), least.end(), 0);
  const int lines = room.line * border_count(track.regions);
  if (needed + lines > room.most) return false;
  const int length = std::max(room.preferred - lines, needed);
  const double extent = std::accumulate(weights.begin(), weights.end(), 0.0);
  track.scale = Scale::shrunk;
  track.sizes = share(length, weights, least);
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (track.sizes[i] > weights[i] * length / extent + 1.5) track.widened = true;
  return true;
}

/// A track with the first and the last regions, `most` in all, around a gap.
std::vector<Stretch> folded(const Line& line, std::size_t most) {
  const std::size_t back = std::max<std::size_t>(most / 4, 1);
  std::vector<Stretch> regions;
  Stretch fold;
  fold.folded = true;
  while (regions.size() + back + 1 < most) {
    regions.push_back(line.at(fold.positions.start));
    fold.positions.start = regions.back().positions.stop;
  }
  std::vector<Stretch> tail;
  fold.positions.stop = line.extent();
  while (tail.size() < back) {
    tail.push_back(line.at(fold.positions.stop - 1));
    fold.positions.stop = tail.back().positions.start;
  }
  regions.push_back(fold);
  regions.insert(regions.end(), tail.rbegin(), tail.rend());
  return regions;
}

/// Whether two cells differ so much that a line is drawn between them.
bool apart(const Cell& a, const Cell& b) {
  return a.kind != b.kind || a.rank != b.rank || a.shared != b.shared ||
         a.kind == Cell::Kind::folded;
}

}  // namespace

Track fit(const Line& line, const Room& room) {
  const auto at_least_3 = [](int count) { return static_cast<std::size_t>(std::max(count, 3)); };
  Track track;
  if (auto all = stretches(line, at_least_3(room.most / room.least))) {
    track.regions = std::move(*all);
    if (fit_cells(track, line.extent(), room) || fit_to_scale(track, room)) {
      place(track, room.line);
      return track;
    }
  }
  const std::size_t most = at_least_3((room.most + room.line) / (room.fold + room.line));
  if (track.regions.empty() || track.regions.size() > most) {
    track.scale = Scale::folded;
    track.regions = folded(line, most);
  } else {
    track.scale = Scale::shrunk;
    track.widened = true;
  }
  track.sizes.assign(track.regions.size(), room.fold);
  place(track, room.line);
  return track;
}

std::vector<Edge> edges_of(const Scene& scene, const Track& rows, const Track& columns) {
  const auto& down = rows.regions;
  const auto& across = columns.regions;
  std::vector<Edge> edges;
  const auto add = [&](std::size_t i, std::size_t j, bool upper) {
    const std::size_t above = upper ? i - 1 : i;
    const std::size_t before = upper ? j : j - 1;
    const Border border =
        upper ? border_between(down[above], down[i]) : border_between(across[before], across[j]);
    const bool none = border == Border::owner && !apart(scene.cell(down[above], across[before]),
                                                        scene.cell(down[i], across[j]));
    if (border != Border::none && !none) edges.push_back({i, j, upper, border});
  };
  for (std::size_t i = 0; i < down.size(); ++i) {
    for (std::size_t j = 0; j < across.size(); ++j) {
      if (i > 0) add(i, j, true);
      if (j > 0) add(i, j, false);
    }
  }
  return edges;
}

std::vector<Tick> ticks(const Line& line, const Track& track, const Lettering& letters) {
  std::vector<Tick> all;
  std::vector<std::pair<double, double>> taken;
  const int cell = letters.cells ? track.cell : 0;
  const auto write = [&](Index position, double from, bool until = false) {
    std::string text = std::to_string(line.global_of(position));
    const double length = letters.length(static_cast<double>(text.size()));
    if (cell > 0) from += letters.indent(length);
    if (until) from -= length;
    if (from + length > letters.most) return;
    for (const auto& [start, stop] : taken)
      if (from < stop + letters.gap && start < from + length + letters.gap) return;
    taken.emplace_back(from, from + length);
    all.push_back({from, std::move(text)});
  };
  const auto& regions = track.regions;
  const Stretch& last = regions.back();
  write(0, 0);
  if (cell > 0)
    write(last.positions.stop - 1, track.length() - cell);
  else if (last.positions.size() > 1)
    write(last.positions.stop - 1, track.length(), true);
  for (std::size_t j = 0; j < regions.size(); ++j)
    if (!regions[j].folded) write(regions[j].positions.start, track.starts[j]);
  for (std::size_t j = 0; j < regions.size() && cell > 0; ++j)
    for (Index k = 1; k < regions[j].positions.size(); ++k)
      write(regions[j].positions.start + k, track.starts[j] + static_cast<double>(k) * cell);
  return all;
}

std::string scale_note(const Scene& scene, int dimension, const Track& track,
                       const std::string& unit, int units) {
  if (dimension < 0 || track.scale == Scale::cells) return {};
  const std::string text = "dimension " + std::to_string(dimension) + ": ";
  if (track.scale == Scale::folded) {
    const Line& line = dimension == scene.row_dimension() ? scene.rows() : scene.columns();
    const auto fold = std::find_if(track.regions.begin(), track.regions.end(),
                                   [](const Stretch& region) { return region.folded; });
    return text + "not to scale; indices " + std::to_string(line.global_of(fold->positions.start)) +
           " to " + std::to_string(line.global_of(fold->positions.stop - 1)) + " are left out";
  }
  const int length = std::accumulate(track.sizes.begin(), track.sizes.end(), 0);
  const auto extent = static_cast<double>(track.regions.back().positions.stop);
  const auto each = std::max(std::llround(units * extent / length), 1LL);
  return text + unit + " about " + std::to_string(each) + (each > 1 ? " indices" : " index") +
         (track.widened ? "; small regions are drawn larger" : "");
}

}  // namespace daptor::show
