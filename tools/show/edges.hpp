// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "show/axis.hpp"
#include "show/scene.hpp"

namespace daptor::show {

/// The upper or left side of a region, where something is to be drawn there.
struct Edge {
  std::size_t row = 0;  ///< of the region
  std::size_t column = 0;
  bool upper = false;  ///< otherwise the left one
  Border border = Border::owner;
};

/// Edges inside a picture: between cells that differ, and where global indices jump.
std::vector<Edge> edges_of(const Scene& scene, const Axis& rows, const Axis& columns);

/// What there is to say of the scale of an axis whose regions are grouped or folded.
std::string chosen_note(const Scene& scene, int dimension, const Axis& axis);

}  // namespace daptor::show
