// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "show/axis.hpp"
#include "show/scene.hpp"

/// \file
/// Fits an axis into the characters of a terminal.

namespace daptor::show {

/// An axis in characters.
struct Track {
  Axis axis;
  std::vector<int> sizes;   ///< characters of each region
  std::vector<int> starts;  ///< of each region; 0 is the first character inside the frame
  int cell = 0;             ///< characters a position where the scale is `cells`, otherwise 0
  bool lines = true;        ///< a character for each border between regions
  bool widened = false;     ///< some regions are larger than to scale

  int length() const { return sizes.empty() ? 0 : starts.back() + sizes.back(); }
};

/// Widths of what is written into cells.
struct LabelSizes {
  int number = 1;  ///< the largest rank
  int mark = 0;    ///< behind it
  int range = 3;   ///< two ranks and a dash
};

/// Rows: a character a position, or regions of at least one.
Track fit_rows(const Line& line, int most, int preferred);

/// Columns; `label` is what each region should hold. More than one track: a one-dimensional
/// picture is broken into lines of at most `most_lines`.
std::vector<Track> fit_columns(const Line& line, int most, int preferred, const LabelSizes& labels,
                               bool ranges, int most_lines);

}  // namespace daptor::show
