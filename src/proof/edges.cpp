// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/edges.hpp"

#include <algorithm>
#include <cstddef>

namespace daptor::adapter {

void EdgesOfAll::say(const Section& array, Call& call) {
  any_ = call.greatest([&] {
    const auto& dimensions = array.dimensions();
    return std::any_of(dimensions.begin(), dimensions.end(), [](const Dimension& dimension) {
      return dimension.boundary_padding() != Padding{};
    });
  });
}

std::optional<Edges> EdgesOfAll::heard(const Section& array, Call& call) const {
  if (any_ == 0) return std::nullopt;
  auto words = call.check([&] {
    std::vector<std::int64_t> widths;
    for (const Dimension& dimension : array.dimensions()) {
      widths.push_back(dimension.boundary_padding().lower);
      widths.push_back(dimension.boundary_padding().upper);
    }
    return widths;
  });
  call.comm()->allreduce(words.data(), static_cast<int>(words.size()), Reduction::max);
  return call.check([&] {
    Edges edges;
    for (std::size_t i = 0; i < words.size(); i += 2) edges.push_back({words[i], words[i + 1]});
    return std::optional<Edges>(std::move(edges));
  });
}

std::vector<Index> interior_shape(const Section& array, const Edges& edges) {
  std::vector<Index> shape = array.global_shape();
  for (std::size_t d = 0; d < shape.size(); ++d)
    shape[d] = std::max<Index>(0, shape[d] - edges[d].lower - edges[d].upper);
  return shape;
}

}  // namespace daptor::adapter
