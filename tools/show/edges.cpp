// SPDX-License-Identifier: BSD-3-Clause
#include "show/edges.hpp"

#include <algorithm>

namespace daptor::show {
namespace {

/// Cells that differ as far as a line between them is concerned.
bool apart(const Cell& a, const Cell& b) {
  return a.kind != b.kind || a.rank != b.rank || a.shared != b.shared || a.last != b.last ||
         a.kind == Cell::Kind::mixed;
}

Border border_of(Border along, const Cell& before, const Cell& here) {
  if (along == Border::owner) return apart(before, here) ? Border::owner : Border::none;
  return along;
}

}  // namespace

std::vector<Edge> edges_of(const Scene& scene, const Axis& rows, const Axis& columns) {
  const auto& down = rows.regions;
  const auto& across = columns.regions;
  std::vector<Edge> edges;
  const auto add = [&](std::size_t i, std::size_t j, bool upper, Border border) {
    if (border != Border::none) edges.push_back({i, j, upper, border});
  };
  for (std::size_t i = 0; i < down.size(); ++i) {
    for (std::size_t j = 0; j < across.size(); ++j) {
      const Cell here = scene.cell(down[i], across[j]);
      if (i > 0)
        add(i, j, true,
            border_of(border_between(down[i - 1], down[i]), scene.cell(down[i - 1], across[j]),
                      here));
      if (j > 0)
        add(i, j, false,
            border_of(border_between(across[j - 1], across[j]), scene.cell(down[i], across[j - 1]),
                      here));
    }
  }
  return edges;
}

std::string chosen_note(const Scene& scene, int dimension, const Axis& axis) {
  const std::string text = "dimension " + std::to_string(dimension) + ": not to scale; ";
  if (axis.scale == Scale::grouped) return text + "regions of several ranks, first and last named";
  const Line& line = dimension == scene.row_dimension() ? scene.rows() : scene.columns();
  const auto fold = std::find_if(axis.regions.begin(), axis.regions.end(),
                                 [](const Stretch& region) { return region.folded; });
  return text + "indices " + std::to_string(line.global_of(fold->positions.start)) + " to " +
         std::to_string(line.global_of(fold->positions.stop - 1)) + " are left out";
}

}  // namespace daptor::show
