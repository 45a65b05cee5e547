// SPDX-License-Identifier: BSD-3-Clause
#include "show/ruler.hpp"

#include <algorithm>
#include <numeric>

namespace daptor::show {
namespace {

void place(Ruler& ruler) {
  double at = 0;
  for (const double size : ruler.sizes) {
    ruler.starts.push_back(at);
    at += size;
  }
}

Ruler to_scale(Axis axis, const Room& room) {
  Ruler ruler;
  std::vector<double> weights;
  for (const Stretch& region : axis.regions)
    weights.push_back(static_cast<double>(region.positions.size()));
  const auto least = static_cast<int>(room.least);
  const auto total =
      std::max(static_cast<int>(room.preferred), least * static_cast<int>(axis.regions.size()));
  const double extent = std::accumulate(weights.begin(), weights.end(), 0.0);
  const std::vector<int> sizes =
      share(total, weights, std::vector<int>(axis.regions.size(), least));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    ruler.sizes.push_back(sizes[i]);
    if (sizes[i] > weights[i] * total / extent + 2) ruler.widened = true;
  }
  ruler.axis = std::move(axis);
  ruler.axis.scale = Scale::shrunk;
  place(ruler);
  return ruler;
}

}  // namespace

double Ruler::at(Index position) const {
  const auto& regions = axis.regions;
  const auto next = std::upper_bound(
      regions.begin(), regions.end(), position,
      [](Index value, const Stretch& region) { return value < region.positions.start; });
  const auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - regions.begin() - 1, 0));
  const Stretch& region = regions[i];
  const double each = sizes[i] / static_cast<double>(region.positions.size());
  return starts[i] + static_cast<double>(position - region.positions.start) * each;
}

Ruler make_ruler(const Line& line, IndexRange positions, const Room& room) {
  const auto count = [&](double size) {
    return static_cast<std::size_t>(std::max(room.most / size, 3.0));
  };
  Axis axis =
      regions_of(line, positions, {count(room.least), count(room.group), count(room.unfolded)});
  const double chosen = axis.scale == Scale::grouped ? room.group : room.unfolded;
  Ruler ruler;
  if (axis.scale == Scale::cells && room.cell == 0) return to_scale(std::move(axis), room);
  for (const Stretch& region : axis.regions)
    ruler.sizes.push_back(axis.scale == Scale::cells
                              ? room.cell * static_cast<double>(region.positions.size())
                              : chosen);
  ruler.cell = axis.scale == Scale::cells ? room.cell : 0;
  ruler.axis = std::move(axis);
  place(ruler);
  return ruler;
}

}  // namespace daptor::show
