// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "show/scene.hpp"

/// \file
/// Where the parts of an array go in a picture. Lengths are characters in a terminal and pixels in
/// SVG.

namespace daptor::show {

/// How a dimension is drawn.
enum class Scale {
  cells,   ///< each position is a cell of the same size
  shrunk,  ///< regions are to scale, as far as whole units and a least size allow
  folded   ///< there are too many regions: those in the middle are left out
};

/// One dimension at the size that a picture has for it.
struct Track {
  Scale scale = Scale::cells;
  std::vector<Stretch> regions;
  std::vector<int> sizes;   ///< of each region
  std::vector<int> starts;  ///< of each region, from the frame
  int cell = 0;             ///< of a position where the scale is `cells`, otherwise 0
  bool widened = false;     ///< some regions are larger than to scale

  int length() const { return sizes.empty() ? 0 : starts.back() + sizes.back(); }
};

/// What a track may take up.
struct Room {
  int most = 0;            ///< length
  int preferred = 0;       ///< length where positions are not cells
  std::vector<int> cells;  ///< sizes that a position may have, the first that fits is taken
  int line = 0;            ///< between regions with a border
  int least = 1;           ///< of a region
  int named = 1;           ///< of a region that somebody owns
  int fold = 1;            ///< of a region where others are left out
};

/// All regions of a line that is not empty, or its first and last ones where there are too many.
Track fit(const Line& line, const Room& room);

/// What lies between two neighbouring regions.
enum class Border { none, jump, owner };

/// The upper or left side of a region, where something is to be drawn there.
struct Edge {
  std::size_t row = 0;  ///< of the region
  std::size_t column = 0;
  bool upper = false;  ///< otherwise the left one
  Border border = Border::owner;
};

/// Edges inside a picture: between cells that differ, and where global indices jump.
std::vector<Edge> edges_of(const Scene& scene, const Track& rows, const Track& columns);

/// A global index at the edge of a picture, and where its text begins.
struct Tick {
  double at = 0;
  std::string text;
};

/// How indices are written along a track.
struct Lettering {
  bool cells = true;                     ///< each position may have its index
  std::function<double(double)> indent;  ///< of a text of some length in its cell
  std::function<double(double)> length;  ///< of a text of some digits
  double gap = 0;                        ///< between two texts
  double most = 0;                       ///< no text ends beyond it
};

/// Indices that can be written without touching each other: the ends, the starts of regions, and
/// then all others.
std::vector<Tick> ticks(const Line& line, const Track& track, const Lettering& letters);

/// What there is to say of the scale of a dimension, `100 pixels are` about so many indices; empty
/// where each position is a cell.
std::string scale_note(const Scene& scene, int dimension, const Track& track,
                       const std::string& unit, int units = 1);

}  // namespace daptor::show
