// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/tiling.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coverage.hpp"
#include "cuts.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/fft/adapter/names.hpp"

namespace daptor::fft {
namespace {

using detail::Cuts;

const Terms as_list = names::as_list;

void require_corners(const Box& box) {
  const std::size_t ndim = box.shape.size();
  if (ndim == 0 || box.lower.size() != ndim || box.upper.size() != ndim)
    adapter::refuse_argument(
        "fft.shape",
        "a grid of " + std::to_string(ndim) + " dimensions, corners of " +
            std::to_string(box.lower.size()) + " and " + std::to_string(box.upper.size()),
        "at least one dimension, and a number for each in both corners", "Fill in the box.");
  for (std::size_t d = 0; d < ndim; ++d)
    if (box.lower[d] < 0 || box.upper[d] < box.lower[d] || box.upper[d] > box.shape[d])
      throw InvalidArgument(Report(
          {adapter::reason("fft.corners", static_cast<int>(d),
                           std::to_string(box.lower[d]) + " to " + std::to_string(box.upper[d]) +
                               " of " + std::to_string(box.shape[d]),
                           "0 <= lower <= upper <= size", "`upper` is one past the last index.")}));
  if (!adapter::product(box.shape))
    adapter::refuse_argument("fft.shape", "a grid of " + adapter::shape_text(box.shape),
                             "a number of elements that fits in 64 bits", "Use a smaller grid.");
}

/// Refuses a tile that is none: numbers that are missing, a dimension twice, an end before the
/// beginning.
void require_tile(const Tile& tile) {
  const std::size_t ndim = tile.sizes.size();
  std::vector<int> sorted = tile.dimensions;
  std::sort(sorted.begin(), sorted.end());
  bool right = sorted.size() == ndim && tile.lower.size() == ndim && tile.upper.size() == ndim;
  for (std::size_t i = 0; right && i < ndim; ++i)
    right = sorted[i] == static_cast<int>(i) && tile.lower[i] >= 0 &&
            tile.upper[i] >= tile.lower[i] - 1 && tile.upper[i] < tile.sizes[i];
  if (right) return;
  adapter::refuse_argument("fft.corners",
                           "dimensions " + adapter::tuple_text(tile.dimensions) + ", sizes " +
                               adapter::tuple_text(tile.sizes) + ", from " +
                               adapter::tuple_text(tile.lower) + " to " +
                               adapter::tuple_text(tile.upper),
                           "each dimension once, and 0 <= lower <= upper + 1 <= size",
                           "`upper` is the last index of the tile, or lower - 1.");
}

/// Collective.
/// @param first  makes or judges the box, on this process
template <class F>
void prove_tiling(const Box& box, Call& call, F&& first) {
  const std::vector<Message> outgoing = call.check([&] {
    first();
    require_corners(box);
    call.same("shape", adapter::shape_text(box.shape));
    return detail::messages_to_cells(box, call.comm());
  });
  detail::prove_coverage(box, outgoing, call);
}

/// Where a box is among the cuts; `nullopt` if it reaches past the next cut of a dimension.
std::optional<std::vector<Index>> place_of(const Box& box, const Cuts& cuts) {
  std::vector<Index> place;
  for (std::size_t d = 0; d < cuts.size(); ++d) {
    const auto cut = std::lower_bound(cuts[d].begin(), cuts[d].end(), box.lower[d]);
    const Index next = std::next(cut) == cuts[d].end() ? box.shape[d] : *std::next(cut);
    if (box.upper[d] != next) return std::nullopt;
    place.push_back(cut - cuts[d].begin());
  }
  return place;
}

/// Some ranks: the lowest of them, and how many there are.
struct RanksThat {
  std::array<int, 8> lowest{};
  std::int64_t count = 0;

  std::vector<int> listed() const {
    const auto known = std::min<std::int64_t>(count, static_cast<std::int64_t>(lowest.size()));
    return {lowest.begin(), lowest.begin() + static_cast<std::ptrdiff_t>(known)};
  }
};

/// Collective. The ranks that say so. Allocates nothing, which could fail on one rank.
RanksThat ranks_that(bool says, const Comm& comm) {
  RanksThat ranks;
  ranks.count = says ? 1 : 0;
  comm->allreduce(&ranks.count, 1, Reduction::sum);
  std::int64_t after = -1;
  for (std::size_t i = 0; i < ranks.lowest.size() && static_cast<std::int64_t>(i) < ranks.count;
       ++i) {
    std::int64_t lowest = says && comm.rank() > after ? comm.rank() : comm.size();
    comm->allreduce(&lowest, 1, Reduction::min);
    ranks.lowest[i] = static_cast<int>(lowest);
    after = lowest;
  }
  return ranks;
}

/// The grid of processes, and the places of those with empty boxes, which are behind the others
/// along one dimension.
struct ProcessGrid {
  std::vector<Index> sizes;
  std::size_t widened = 0;  ///< the dimension with the empty places
  Index filled = 0;         ///< number of places along it that are not empty
};

std::optional<ProcessGrid> process_grid(const Cuts& cuts, const std::vector<Index>& shape,
                                        Index processes) {
  ProcessGrid grid;
  for (const auto& along : cuts)
    grid.sizes.push_back(std::max<Index>(1, static_cast<Index>(along.size())));
  const Index used = *adapter::product(grid.sizes);
  const auto empty = std::find(shape.begin(), shape.end(), 0);
  // Slabs of more processes than indices are slabs of the same dimension, so that a dimension that
  // is divided comes first.
  for (const bool divided : {true, false})
    for (std::size_t d = 0; d < cuts.size(); ++d) {
      const Index others = used / grid.sizes[d];
      // A grid without elements has room for all processes along its empty dimension only.
      if (empty != shape.end() && shape[d] != 0) continue;
      if ((grid.sizes[d] > 1) != divided || processes % others != 0) continue;
      grid.widened = d;
      grid.filled = static_cast<Index>(cuts[d].size());
      grid.sizes[d] = processes / others;
      return grid;
    }
  return std::nullopt;
}

/// The n-th of the places that are empty, in row-major order of these places.
std::vector<Index> empty_place(const ProcessGrid& grid, Index n) {
  std::vector<Index> sizes = grid.sizes;
  sizes[grid.widened] -= grid.filled;
  std::vector<Index> place = grid_coordinates(sizes, n);
  place[grid.widened] += grid.filled;
  return place;
}

std::vector<Dimension> dimensions_at(const std::vector<Index>& place, const ProcessGrid& grid,
                                     const Cuts& cuts, const std::vector<Index>& shape) {
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto cut = [&](Index i) {
      return i < static_cast<Index>(cuts[d].size()) ? cuts[d][static_cast<std::size_t>(i)]
                                                    : shape[d];
    };
    if (grid.sizes[d] == 1)
      dimensions.push_back(undistributed(shape[d]));
    else
      dimensions.push_back(
          block(shape[d], {grid.sizes[d], place[d]}, {cut(place[d]), cut(place[d] + 1)}));
  }
  return dimensions;
}

[[noreturn]] void refuse_product(const RanksThat& ranks, const Box& box, Call& call) {
  std::vector<Index> corners = call.check([&] {
    std::vector<Index> both = box.lower;
    both.insert(both.end(), box.upper.begin(), box.upper.end());
    return both;
  });
  call.comm()->broadcast(corners.data(), corners.size() * sizeof(Index), ranks.lowest[0]);
  const auto middle = corners.begin() + static_cast<std::ptrdiff_t>(box.shape.size());
  Finding finding = adapter::reason(
      "fft.product",
      "the box " + adapter::tuple_text(std::vector<Index>(corners.begin(), middle)) + " to " +
          adapter::tuple_text(std::vector<Index>(middle, corners.end())) +
          ", through which others are divided",
      "boxes that are a product of divisions: each dimension divided once for all processes",
      as_list);
  finding.ranks = ranks.listed();
  finding.rank_count = ranks.count;
  throw NotRepresentable(Report({std::move(finding)}));
}

std::vector<Index> byte_strides(const Box& box, Index item) {
  std::vector<Index> strides(box.shape.size(), item);
  const std::vector<Index> extents = box.extents();
  if (box.strides.empty()) {
    for (std::size_t d = strides.size() - 1; d-- > 0;)
      strides[d] = strides[d + 1] * std::max<Index>(1, extents[d + 1]);
  } else {
    for (std::size_t d = 0; d < strides.size(); ++d) strides[d] = box.strides[d] * item;
  }
  return strides;
}

Section described(const DataType& type, void* data, Index length, const Box& box,
                  std::vector<Dimension> dimensions, std::shared_ptr<const void> owner) {
  std::vector<Index> strides = byte_strides(box, static_cast<Index>(type.itemsize()));
  Section array = data == nullptr && !box.empty()
                      ? daptor::describe(type, nullptr, std::move(dimensions), std::move(strides))
                      : daptor::describe(type, data, length, std::move(dimensions),
                                         std::move(strides), false, std::move(owner));
  array.defect().raise();
  return array;
}

/// Collective. Describes the box of a tiling that is proven.
DistArray describe_proven(const DataType& type, void* data, Index length, const Box& box,
                          std::shared_ptr<const void> owner, Call& call) {
  const Comm& comm = call.comm();
  const std::vector<Index> words = detail::common_cuts(box, call);
  Cuts cuts;
  bool empty = false;
  auto place = call.check([&] {
    cuts = detail::cuts_from(words, box.shape.size());
    empty = box.empty();
    return empty ? std::nullopt : place_of(box, cuts);
  });
  const RanksThat misfits = ranks_that(!empty && !place, comm);
  if (misfits.count > 0) refuse_product(misfits, box, call);
  const std::int64_t before = comm->exclusive_sum(empty ? 1 : 0);
  std::optional<DistArray> array = call.check([&]() -> std::optional<DistArray> {
    const auto grid = process_grid(cuts, box.shape, comm.size());
    if (!grid) return std::nullopt;
    if (empty) place = empty_place(*grid, before);
    return described(type, data, length, box, dimensions_at(*place, *grid, cuts, box.shape),
                     std::move(owner))
        .on(comm);
  });
  if (!array)
    adapter::require_none({adapter::reason(
        "fft.empty",
        "empty boxes that make no grid of " + std::to_string(comm.size()) +
            " processes with the others",
        "a multiple of the processes of a dimension",
        std::string("Use a communicator without some of these processes. ") + as_list)});
  return std::move(*array);
}

}  // namespace

void require_tiling(const Box& box, const Comm& comm) {
  Call call(comm, "fft::require_tiling");
  prove_tiling(box, call, [] {});
}

DistArray describe(const DataType& type, void* data, Index length, const Box& box, const Comm& comm,
                   std::shared_ptr<const void> owner) {
  Call call(comm, "fft::describe");
  prove_tiling(box, call, [&] { detail::require_strides(box); });
  return describe_proven(type, data, length, box, std::move(owner), call);
}

DistArray describe(const DataType& type, void* data, Index length, const Tile& tile,
                   const Comm& comm, std::shared_ptr<const void> owner) {
  Call call(comm, "fft::describe");
  Box corners;
  prove_tiling(corners, call, [&] {
    require_tile(tile);
    corners = box(tile);
  });
  return describe_proven(type, data, length, corners, std::move(owner), call);
}

}  // namespace daptor::fft
