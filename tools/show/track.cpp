// SPDX-License-Identifier: BSD-3-Clause
#include "show/track.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace daptor::show {
namespace {

IndexRange all_of(const Line& line) {
  return {0, line.extent()};
}

std::size_t count(int number) {
  return static_cast<std::size_t>(std::max(number, 3));
}

void place(Track& track) {
  track.starts.clear();
  int at = 0;
  for (std::size_t i = 0; i < track.sizes.size(); ++i) {
    const auto& regions = track.axis.regions;
    if (i > 0 && track.lines && border_between(regions[i - 1], regions[i]) != Border::none) ++at;
    track.starts.push_back(at);
    at += track.sizes[i];
  }
}

int borders(const Axis& axis) {
  return static_cast<int>(border_count(axis.regions));
}

/// A cell of `cell` characters for each position, if that fits.
std::optional<Track> cells(const Axis& axis, Index extent, int cell, bool lines, int most) {
  const int room = most - (lines ? borders(axis) : 0);
  if (room <= 0 || extent > room / cell) return std::nullopt;
  Track track;
  track.axis = axis;
  track.cell = cell;
  track.lines = lines;
  for (const Stretch& region : axis.regions)
    track.sizes.push_back(static_cast<int>(region.positions.size()) * cell);
  place(track);
  return track;
}

/// All regions but the last are about as long as each other.
bool alike(const std::vector<double>& weights) {
  const auto [low, high] = std::minmax_element(weights.begin(), weights.end() - 1);
  return weights.size() > 1 && *high - *low <= 0.02 * *high && weights.back() <= *high;
}

/// As `share`, but what is about as long comes out equally long.
std::vector<int> evenly_shared(int room, const std::vector<double>& weights,
                               const std::vector<int>& least) {
  if (!alike(weights)) return share(room, weights, least);
  const double extent = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto part = [&](double weight) { return static_cast<int>(room / extent * weight + 0.01); };
  std::vector<int> sizes(weights.size(), part(*std::max_element(weights.begin(), weights.end())));
  if (weights.back() < 0.98 * weights.front()) sizes.back() = std::max(part(weights.back()), 1);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] < least[i]) return share(room, weights, least);
  if (std::accumulate(sizes.begin(), sizes.end(), 0) > room) return share(room, weights, least);
  return sizes;
}

/// Regions to scale, none smaller than its `least`, if that fits. `total` includes the lines.
std::optional<Track> to_scale(const Axis& axis, const std::vector<int>& least, int most,
                              int total) {
  const int lines = borders(axis);
  const int needed = std::accumulate(least.begin(), least.end(), lines);
  if (needed > most) return std::nullopt;
  std::vector<double> weights;
  for (const Stretch& region : axis.regions)
    weights.push_back(static_cast<double>(region.positions.size()));
  const double extent = std::accumulate(weights.begin(), weights.end(), 0.0);
  const int room = std::max(total, needed) - lines;
  if (const int cell = static_cast<int>(room / extent); cell > 0) {
    auto exact = cells(axis, static_cast<Index>(extent), cell, true, most);
    const auto fits = [](int size, int wanted) { return size >= wanted; };
    if (exact && std::equal(exact->sizes.begin(), exact->sizes.end(), least.begin(), fits))
      return exact;
  }
  Track track;
  track.axis = axis;
  track.axis.scale = Scale::shrunk;
  track.sizes = evenly_shared(room, weights, least);
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (track.sizes[i] > weights[i] * room / extent + 1.5) track.widened = true;
  place(track);
  return track;
}

/// Regions of one size each, for those that are groups or what is left of many.
Track even(Axis axis, const std::vector<int>& sizes) {
  Track track;
  track.axis = std::move(axis);
  track.sizes = sizes;
  place(track);
  return track;
}

/// Most regions are several positions long.
bool coarse(const Axis& axis, Index extent) {
  return extent / 3 >= static_cast<Index>(axis.regions.size());
}

std::vector<int> least_widths(const Axis& axis, int label) {
  std::vector<int> least;
  for (const Stretch& region : axis.regions) {
    const bool named = region.part == Part::owned && (region.mixed || region.holders.count > 0);
    least.push_back(named ? label : 1);
  }
  return least;
}

std::optional<std::vector<Track>> broken(const Line& line, int most, int cell, int most_lines) {
  const Index fits = (most + 1) / (cell + 1);
  if (fits <= 0 || line.extent() > fits * most_lines) return std::nullopt;
  const Index a_line = evenly(line.extent(), fits);
  std::vector<Track> tracks;
  for (Index start = 0; start < line.extent(); start += a_line) {
    const IndexRange part{start, std::min(start + a_line, line.extent())};
    const Axis axis = regions_of(line, part, {count(most), 3, 3});
    tracks.push_back(*cells(axis, part.size(), cell, true, most));
  }
  return tracks;
}

}  // namespace

Track fit_rows(const Line& line, int most, int preferred) {
  const Index extent = line.extent();
  const std::size_t groups = count((most + 1) / 4);
  Axis axis = regions_of(line, all_of(line), {count(most), groups, groups});
  if (axis.scale == Scale::cells) {
    const std::vector<int> least(axis.regions.size(), 1);
    if (auto track = cells(axis, extent, 1, true, most)) return *track;
    if (coarse(axis, extent))
      if (auto track = to_scale(axis, least, most, preferred)) return *track;
    if (auto track = cells(axis, extent, 1, false, most)) return *track;
    if (auto track = to_scale(axis, least, most, preferred)) return *track;
    axis = regions_of(line, all_of(line), {groups, groups, groups});
  }
  const std::vector<int> sizes(axis.regions.size(), 1);
  return even(std::move(axis), sizes);
}

std::vector<Track> fit_columns(const Line& line, int most, int preferred, const LabelSizes& labels,
                               bool ranges, int most_lines) {
  const Index extent = line.extent();
  const int text = labels.number + labels.mark;
  const int label = ranges ? labels.range : text;
  // Wide enough for a range of ranks, or for one rank, whatever the other dimension brings.
  const int group = labels.range + 2;
  const int unfolded = ranges ? group : text + 4;
  const std::size_t groups = count((most + 1) / (group + 1));
  const std::size_t folds = count((most + 1) / (unfolded + 1));
  Axis axis = regions_of(line, all_of(line), {count(most), groups, folds});
  if (axis.scale == Scale::cells) {
    const std::vector<int> least = least_widths(axis, label);
    if (!ranges)
      for (const int cell : {text + 2, text + 1})
        if (auto track = cells(axis, extent, cell, true, most)) return {*track};
    if (coarse(axis, extent))
      if (auto track = to_scale(axis, least, most, preferred)) return {*track};
    if (!ranges && most_lines > 1)
      if (auto tracks = broken(line, most, text + 1, most_lines)) return *tracks;
    if (!ranges) {
      if (auto track = cells(axis, extent, text, true, most)) return {*track};
      if (auto track = cells(axis, extent, text + 1, false, most)) return {*track};
    }
    if (auto track = to_scale(axis, least, most, preferred)) return {*track};
    axis = regions_of(line, all_of(line), {std::min(groups, folds), groups, folds});
  }
  const int size = axis.scale == Scale::grouped ? group : unfolded;
  return {even(std::move(axis), std::vector<int>(axis.regions.size(), size))};
}

}  // namespace daptor::show
