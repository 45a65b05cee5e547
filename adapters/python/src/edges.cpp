// SPDX-License-Identifier: BSD-3-Clause
#include "edges.hpp"

#include <algorithm>
#include <cstddef>

namespace daptor::python {

void EdgesOfAll::say(const Section& array, Call& call) {
  any_ = call.greatest([&] {
    const auto& dimensions = array.dimensions();
    return std::any_of(dimensions.begin(), dimensions.end(), [](const Dimension& dimension) {
      return dimension.boundary_padding() != Padding{};
    });
  });
}

std::shared_ptr<const Edges> EdgesOfAll::heard(const Section& array, Call& call) const {
  if (any_ == 0) return nullptr;
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
    auto edges = std::make_shared<Edges>();
    for (std::size_t i = 0; i < words.size(); i += 2) edges->push_back({words[i], words[i + 1]});
    return std::shared_ptr<const Edges>(std::move(edges));
  });
}

Edges edges_in(const std::vector<Dimension>& dimensions) {
  Edges edges;
  for (const Dimension& dimension : dimensions) {
    Padding width = dimension.boundary_padding();
    const auto* const block = dimension.as<Block>();
    if (block != nullptr && block->asked && !block->asked->periodic) width = block->asked->boundary;
    edges.push_back(width);
  }
  return edges;
}

}  // namespace daptor::python
