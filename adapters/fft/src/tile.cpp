// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/tile.hpp"
#include "daptor/adapter/copy_remedy.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "daptor/call.hpp"
#include "forms.hpp"

namespace daptor::fft {
namespace {

/// For each pair of at most 3 dimensions, in both directions, whether the second may vary faster
/// than the first: whether no process has it the other way round.
using Relations = std::array<Agreed<bool>, 6>;

std::size_t word_of(int faster, int slower) {
  // The pairs (0, 1), (0, 2) and (1, 2), each in both directions.
  const int lower = std::min(faster, slower);
  const auto pair = static_cast<std::size_t>(lower + std::max(faster, slower) - 1);
  return 2 * pair + (faster == lower ? 0 : 1);
}

/// Known after the next check. Dimensions of which this process has at most one index say nothing.
Relations relations_of(const Box& box, Call& call) {
  const std::vector<Index> extents = box.extents();
  std::vector<int> placed;
  if (!box.empty())
    for (const int d : box.order())
      if (extents[static_cast<std::size_t>(d)] > 1) placed.push_back(d);
  std::array<bool, 6> faster{};
  for (std::size_t i = 0; i < placed.size(); ++i)
    for (std::size_t j = i + 1; j < placed.size(); ++j)
      faster[word_of(placed[i], placed[j])] = true;
  Relations relations;
  for (std::size_t i = 0; i < faster.size(); ++i) relations[i] = call.all(!faster[i]);
  return relations;
}

bool allows(const Relations& relations, const std::vector<int>& order) {
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j)
      if (!relations[word_of(order[j], order[i])]) return false;
  return true;
}

/// Sets `order` to the memory order of all processes, row-major if it may be; returns false if
/// there is none.
bool find_common_order(const Relations& relations, std::vector<int>& order) {
  std::iota(order.rbegin(), order.rend(), 0);
  do {
    if (allows(relations, order)) return true;
  } while (std::prev_permutation(order.begin(), order.end()));
  return false;
}

}  // namespace

bool Tile::empty() const {
  for (std::size_t i = 0; i < lower.size(); ++i)
    if (upper[i] < lower[i]) return true;
  return lower.empty();
}

Tile Tile::one_based() const {
  Tile tile = *this;
  for (int& index : tile.lower) ++index;
  for (int& index : tile.upper) ++index;
  return tile;
}

Tile Tile::permuted(int permute) const {
  const int ndim = static_cast<int>(sizes.size());
  if (permute < 0 || permute >= ndim)
    adapter::refuse_argument(
        "fft.permute", "permute " + std::to_string(permute),
        "0 to " + std::to_string(ndim - 1) + " for " + std::to_string(ndim) + " dimensions",
        "Pass what is passed to fftMPI.");
  Tile tile = *this;
  const auto rotate = [&](std::vector<int>& values) {
    std::rotate(values.begin(), values.begin() + permute, values.end());
  };
  for (std::vector<int>* values : {&tile.dimensions, &tile.sizes, &tile.lower, &tile.upper})
    rotate(*values);
  return tile;
}

Tile tile(const DistArray& a) {
  Call call(a, "fft::tile");
  Box corners;
  Tile tile;
  const Relations relations = call.check([&] {
    adapter::require_none(adapter::reasons(detail::tile_form(), a));
    corners = box(a);
    // All memory is allocated here, where a failure is that of all ranks.
    for (std::vector<int>* numbers : {&tile.dimensions, &tile.sizes, &tile.lower, &tile.upper})
      numbers->resize(corners.shape.size());
    return relations_of(corners, call);
  });
  if (!find_common_order(relations, tile.dimensions))
    adapter::require_none({adapter::reason(
        "fft.order", "another memory order on some ranks than on others",
        "the same dimension varying fastest on all ranks", "", adapter::copy_to_blocks(a))});
  for (std::size_t i = 0; i < tile.dimensions.size(); ++i) {
    const auto d = static_cast<std::size_t>(tile.dimensions[i]);
    tile.sizes[i] = static_cast<int>(corners.shape[d]);
    tile.lower[i] = static_cast<int>(corners.lower[d]);
    tile.upper[i] = static_cast<int>(corners.upper[d] - 1);
  }
  return tile;
}

Box box(const Tile& tile) {
  const std::size_t ndim = tile.sizes.size();
  Box box{std::vector<Index>(ndim), std::vector<Index>(ndim), std::vector<Index>(ndim),
          std::vector<Index>(ndim)};
  Index stride = 1;
  for (std::size_t i = 0; i < ndim; ++i) {
    const auto d = static_cast<std::size_t>(tile.dimensions.at(i));
    box.shape.at(d) = tile.sizes[i];
    box.lower[d] = tile.lower.at(i);
    box.upper[d] = std::max<Index>(tile.lower[i], Index{tile.upper.at(i)} + 1);
    box.strides[d] = stride;
    stride *= std::max<Index>(1, box.upper[d] - box.lower[d]);
  }
  return box;
}

}  // namespace daptor::fft
