// SPDX-License-Identifier: BSD-3-Clause
#include "arrays/edges.hpp"

namespace daptor::python {

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
