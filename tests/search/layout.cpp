// SPDX-License-Identifier: BSD-3-Clause
#include "layout.hpp"

#include <algorithm>
#include <numeric>

namespace daptor::search {
namespace {

constexpr Index small_size = 24;

Axis undistributed_axis(Random& random, bool v0_10) {
  Axis axis;
  axis.size = random.below(8);
  Part part;
  part.stop = axis.size;
  axis.periodic = random.chance(20);
  part.key = random.chance(30);
  if (part.key && axis.size > 0) {
    const Padding widths{random.below(3), random.below(3)};
    const bool outside = axis.periodic && !v0_10;
    (outside ? part.communication : part.boundary) = widths;
  }
  part.extent = axis.size + part.communication.total();
  axis.variants = {{part}};
  return axis;
}

/// Increasing bounds of the owned ranges.
std::vector<Index> cuts(Random& random, Index size, Index processes) {
  std::vector<Index> bounds = {0, size};
  const bool even = random.chance(40);
  const bool never_empty = size >= processes && random.chance(70);
  for (Index i = 1; i < processes; ++i) {
    if (even) {
      bounds.push_back(i * (size / processes) + std::min(i, size % processes));
    } else if (never_empty) {
      bounds.push_back(i + random.below(size - processes + 1));
    } else {
      bounds.push_back(random.between(0, size));
    }
  }
  std::sort(bounds.begin(), bounds.end());
  if (never_empty && !even)
    for (std::size_t i = 1; i + 1 < bounds.size(); ++i) {
      const auto least = std::max(bounds[i], bounds[i - 1] + 1);
      bounds[i] = std::min(least, size - processes + static_cast<Index>(i));
    }
  return bounds;
}

/// Pads one line of processes. Under 0.10.x both widths on an edge are equal and no wider than the
/// neighbour's section, and an empty section has none.
void pad(Random& random, const Axis& axis, bool v0_10, std::vector<Part>& parts) {
  const std::size_t last = parts.size() - 1;
  const bool wraps = axis.periodic && !v0_10;
  const auto owned = [&](std::size_t i) { return parts[i].stop - parts[i].start; };
  for (std::size_t i = 0; i < last + (wraps ? 1 : 0); ++i) {
    const std::size_t next = i == last ? 0 : i + 1;
    const Index most = std::min({Index{3}, owned(i), owned(next)});
    const Index width = random.between(0, most);
    const bool one_sided = !v0_10 && random.chance(20);
    parts[i].communication.upper = one_sided ? random.between(0, most) : width;
    parts[next].communication.lower = width;
  }
  if (!wraps) {
    parts.front().boundary.lower = random.between(0, std::min(Index{3}, owned(0)));
    const Index room = owned(last) - (last == 0 ? parts.front().boundary.lower : 0);
    parts.back().boundary.upper = random.between(0, std::min(Index{3}, room));
  }
}

Axis block_axis(Random& random, bool v0_10, Index processes, bool huge) {
  Axis axis;
  axis.type = 'b';
  axis.processes = processes;
  axis.size = huge ? random.between(1, Index{1} << 59) : random.below(small_size);
  axis.periodic = random.chance(25);
  const auto bounds = cuts(random, axis.size, processes);
  const bool padded = random.chance(50);
  const bool varied = padded && random.chance(10);
  for (int variant = 0; variant < (varied ? 2 : 1); ++variant) {
    std::vector<Part> parts(static_cast<std::size_t>(processes));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].start = bounds[i];
      parts[i].stop = bounds[i + 1];
    }
    if (padded) pad(random, axis, v0_10, parts);
    for (Part& part : parts) {
      const bool none = part.communication == Padding{} && part.boundary == Padding{};
      // Under 0.10.x each process may leave out a key that has no effect.
      part.key = v0_10 ? (!none || random.chance(30)) : padded;
      part.extent = part.stop - part.start;
      if (part.start != axis.size) part.extent += part.communication.total();
    }
    axis.variants.push_back(std::move(parts));
  }
  return axis;
}

/// How many of [0, size) belong to the `position`-th process in the order of the deal.
Index dealt(Index size, Index block_size, Index processes, Index position) {
  if (size < 4096) {
    Index count = 0;
    for (Index i = 0; i < size; ++i) count += i / block_size % processes == position ? 1 : 0;
    return count;
  }
  const Index round = block_size * processes;
  const Index rest = size % round - position * block_size;
  return size / round * block_size + std::clamp(rest, Index{0}, block_size);
}

Axis cyclic_axis(Random& random, Index processes, bool huge) {
  Axis axis;
  axis.type = 'c';
  axis.processes = processes;
  axis.size = huge ? random.between(4096, Index{1} << 59) : random.below(small_size);
  axis.block_size = random.chance(50) ? 1 : random.between(1, huge ? Index{1} << 50 : 8);
  axis.periodic = random.chance(5);
  const Index origin = random.chance(30) ? random.below(processes) : 0;
  std::vector<Part> parts(static_cast<std::size_t>(processes));
  for (Index rank = 0; rank < processes; ++rank) {
    Part& part = parts[static_cast<std::size_t>(rank)];
    const Index position = (rank + processes - origin) % processes;
    part.start = std::min(position * axis.block_size, axis.size);
    // Also written by a process beyond the last block.
    if (rank * axis.block_size >= axis.size && part.start == axis.size && random.chance(30))
      part.start = rank * axis.block_size;
    part.extent = dealt(axis.size, axis.block_size, processes, position);
  }
  axis.variants = {std::move(parts)};
  return axis;
}

/// Distinct indices: either dense, or arbitrary labels.
std::vector<Index> labels(Random& random, Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  switch (random.below(5)) {
    case 0:
      for (Index& i : all) i = i * 1000003 - 5000;
      break;
    case 1:
      for (Index& i : all) i -= count / 2;
      break;
    case 2:
      for (Index& i : all) i = i % 2 == 0 ? INT64_MAX - i : INT64_MIN + i;
      break;
    default:
      break;
  }
  if (random.chance(70)) random.shuffle(all);
  return all;
}

Axis unstructured_axis(Random& random, Index processes) {
  Axis axis;
  axis.type = 'u';
  axis.processes = processes;
  const auto all = labels(random, random.below(small_size));
  axis.size = static_cast<Index>(all.size());
  axis.periodic = random.chance(5);
  const bool overlaps = random.chance(30);
  axis.one_to_one = !overlaps && random.chance(60);
  std::vector<Part> parts(static_cast<std::size_t>(processes));
  const bool some_empty = random.chance(30);
  for (const Index index : all) {
    const Index home = some_empty ? random.below(processes) / 2 : random.below(processes);
    parts[static_cast<std::size_t>(home)].indices.push_back(index);
    if (!overlaps || !random.chance(30)) continue;
    const Index other = random.below(processes);
    if (other != home) parts[static_cast<std::size_t>(other)].indices.push_back(index);
  }
  for (Part& part : parts) part.extent = static_cast<Index>(part.indices.size());
  if (axis.size > 0 && random.chance(5)) ++axis.size;  // breaks U11, which is a warning
  axis.variants = {std::move(parts)};
  return axis;
}

Axis random_axis(Random& random, bool v0_10, Index processes, bool huge) {
  switch (processes == 1 ? random.below(5) : random.between(1, 4)) {
    case 0:
      return undistributed_axis(random, v0_10);
    case 3:
      return cyclic_axis(random, processes, huge);
    case 4:
      return unstructured_axis(random, processes);
    default:
      return block_axis(random, v0_10, processes, huge);
  }
}

/// The prime factors of `ranks`, distributed over the dimensions.
std::vector<Index> random_grid(Random& random, Index ranks, int ndim) {
  std::vector<Index> grid(static_cast<std::size_t>(ndim), 1);
  for (Index prime = 2; ranks > 1; ++prime)
    for (; ranks % prime == 0; ranks /= prime)
      grid[static_cast<std::size_t>(random.below(ndim))] *= prime;
  return grid;
}

std::vector<std::vector<Index>> random_seats(Random& random, const std::vector<Index>& grid,
                                             Index ranks) {
  std::vector<std::vector<Index>> seats;
  for (Index rank = 0; rank < ranks; ++rank) {
    std::vector<Index> seat(grid.size());
    Index rest = rank;
    for (std::size_t d = grid.size(); d-- > 0; rest /= grid[d]) seat[d] = rest % grid[d];
    seats.push_back(std::move(seat));
  }
  if (random.chance(25)) random.shuffle(seats);
  return seats;
}

}  // namespace

const Part& Layout::part(int rank, std::size_t d) const {
  const auto& seat = seats[static_cast<std::size_t>(rank)];
  std::size_t others = 0;
  for (std::size_t e = 0; e < seat.size(); ++e)
    if (e != d) others += static_cast<std::size_t>(seat[e]);
  const auto& variants = axes[d].variants;
  return variants[others % variants.size()][static_cast<std::size_t>(seat[d])];
}

Layout random_layout(Random& random) {
  Layout layout;
  layout.v0_10 = random.chance(40);
  const int ndim =
      static_cast<int>(random.pick(std::vector<Index>{0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5}));
  const Index ranks = ndim == 0 ? 1 : random.between(1, 12);
  const bool huge = ndim == 1 && random.chance(5);
  const auto grid = random_grid(random, ranks, ndim);
  for (const Index processes : grid)
    layout.axes.push_back(random_axis(random, layout.v0_10, processes, huge));
  layout.seats = random_seats(random, grid, ranks);
  return layout;
}

}  // namespace daptor::search
