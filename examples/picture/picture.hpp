// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "color.hpp"

/// The part of the grid that one rank owns, in units of the grid.
struct OwnedBlock {
  int rank;
  double x, y, width, height;
};

/// A field on a square raster; the lowest row is first.
struct Panel {
  std::string title;
  int pixels = 0;
  std::vector<float> values;
  float low = 0, high = 1;
  Palette palette;
  /// Texts beside the colour bar, from the lowest value to the highest, evenly spaced.
  std::vector<std::string> bar_labels;
};

/// Writes panels side by side as SVG, with the ownership drawn over each. `extent` is the side of
/// the grid in its own units. Throws std::runtime_error if the file cannot be written.
void write_picture(const std::string& file, const std::string& title, const std::string& subtitle,
                   const std::vector<Panel>& panels, const std::vector<OwnedBlock>& blocks,
                   double extent);
