// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/without_padding.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/adapter/edges.hpp"
#include "daptor/call.hpp"

namespace daptor {
namespace {

/// What is left of a dimension, and the local indices that it has.
struct Rest {
  Dimension dimension;
  IndexRange local;
};

Rest rest_of_list(const Dimension& dimension, const Unstructured& list) {
  const IndexRange all{0, dimension.local_extent()};
  if (!list.owned || list.owned->apart()) return {dimension, all};
  const Index first = list.owned->first(), count = list.owned->count();
  const Unstructured owned{list.grid, owned_indices(list), list.one_to_one, OwnedPart(count)};
  return {{dimension.global_size(), owned, dimension.periodic()}, {first, first + count}};
}

/// @param edge  widths of the boundary padding of the whole dimension
Rest rest_of_range(const Dimension& dimension, Padding edge) {
  const Index size = std::max<Index>(0, dimension.global_size() - edge.lower - edge.upper);
  const IndexRange inside = dimension.interior().value_or(IndexRange{});
  const IndexRange owned{std::clamp<Index>(inside.start - edge.lower, 0, size),
                         std::clamp<Index>(inside.stop - edge.lower, 0, size)};
  const Index first = dimension.owned_offset() +
                      std::min(dimension.boundary_padding().lower, dimension.owned_count());
  Dimension::Distribution form = Undistributed{};
  if (const auto* const block = dimension.as<Block>()) form = Block{block->grid, owned, {}, {}};
  return {{size, std::move(form), dimension.periodic()}, {first, first + owned.size()}};
}

Rest rest_of(const Dimension& dimension, Padding edge) {
  if (const auto* const list = dimension.as<Unstructured>()) return rest_of_list(dimension, *list);
  if (dimension.as<Cyclic>() != nullptr) return {dimension, {0, dimension.local_extent()}};
  return rest_of_range(dimension, edge);
}

Section rest_of(const Section& array, const adapter::Edges& edges) {
  std::vector<Dimension> dimensions;
  std::vector<Index> shape;
  auto* data = static_cast<char*>(const_cast<void*>(array.data()));  // the flag is kept
  for (std::size_t d = 0; d < array.dimensions().size(); ++d) {
    Rest rest = rest_of(array.dimensions()[d], edges[d]);
    shape.push_back(rest.local.size());
    if (data != nullptr && array.local_count() > 0)
      data += rest.local.start * array.byte_strides()[d];
    dimensions.push_back(std::move(rest.dimension));
  }
  const Buffer& buffer = array.buffer();
  Buffer rest(buffer.type(), std::move(shape), array.byte_strides(), data, buffer.readonly(),
              buffer.state(), buffer.space());
  return {array.version(), std::move(rest), std::move(dimensions)};
}

/// Whether this rank has padding, or a builder was asked for some that other ranks may have.
bool has_padding(const Section& array) {
  return array.local_shape() != array.interior_shape() ||
         std::any_of(array.dimensions().begin(), array.dimensions().end(),
                     [](const Dimension& dimension) {
                       return dimension.asked_communication_padding() != Padding{};
                     });
}

}  // namespace

DistArray without_padding(const DistArray& array) {
  Call call(array, "without_padding");
  Agreed<std::int64_t> padded;
  adapter::EdgesOfAll edges;
  call.check([&] {
    padded = call.greatest(has_padding(array));
    edges.say(array, call);
  });
  const auto found = edges.heard(array, call);
  if (padded == 0 && !found) return array;
  return call.check([&] {
    return rest_of(array, found.value_or(adapter::Edges(array.dimensions().size())))
        .on(array.comm());
  });
}

}  // namespace daptor
