// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "show/scene.hpp"

/// \file
/// Positions of the parts of an array in a picture. Lengths are in characters in a terminal and in
/// pixels in SVG.

namespace daptor::show {

/// How a dimension is drawn.
enum class Scale {
  cells,   ///< each position is a cell of the same size
  shrunk,  ///< regions are to scale, as far as whole units and a least size allow
  folded   ///< there are too many regions: those in the middle are left out
};

/// One dimension, laid out at the size that a picture has for it.
struct Track {
  Scale scale = Scale::cells;
  std::vector<Stretch> regions;
  std::vector<int> sizes;   ///< of each region
  std::vector<int> starts;  ///< of each region, from the frame
  int cell = 0;             ///< of a position where the scale is `cells`, otherwise 0
  bool widened = false;     ///< some regions are larger than to scale

  int length() const { return sizes.empty() ? 0 : starts.back() + sizes.back(); }
};

/// The space that a track may take up.
struct Room {
  int most = 0;            ///< length
  int preferred = 0;       ///< length where positions are not cells
  std::vector<int> cells;  ///< sizes that a position may have, the first that fits is taken
  int line = 0;            ///< between regions with a border
  int least = 1;           ///< of a region
  int named = 1;           ///< of a region that somebody owns
  int fold = 1;            ///< of a region where others are left out
};

/// Lays out all regions of a line that is not empty, or only its first and last ones if there are
/// too many.
Track fit(const Line& line, const Room& room);

/// The kind of edge between two neighbouring regions.
enum class Border { none, jump, owner };

/// The upper or left side of a region on which an edge is drawn.
struct Edge {
  std::size_t row = 0;  ///< of the region
  std::size_t column = 0;
  bool upper = false;  ///< otherwise the left one
  Border border = Border::owner;
};

/// Edges inside a picture: between cells that differ, and where global indices jump.
std::vector<Edge> edges_of(const Scene& scene, const Track& rows, const Track& columns);

/// A global index at the edge of a picture, and the position where its text begins.
struct Tick {
  double at = 0;
  std::string text;
};

/// The style in which indices are written along a track.
struct Lettering {
  bool cells = true;                     ///< each position may have its index
  std::function<double(double)> indent;  ///< of a text of some length in its cell
  std::function<double(double)> length;  ///< of a text of some digits
  double gap = 0;                        ///< between two texts
  double most = 0;                       ///< no text ends beyond it
};

/// Selects indices whose texts do not touch each other: first the ends, then the starts of regions,
/// and then all others.
std::vector<Tick> ticks(const Line& line, const Track& track, const Lettering& letters);

/// A sentence about the scale of a dimension, that `100 pixels are` about so many indices; empty if
/// each position is a cell.
std::string scale_note(const Scene& scene, int dimension, const Track& track,
                       const std::string& unit, int units = 1);

}  // namespace daptor::show
