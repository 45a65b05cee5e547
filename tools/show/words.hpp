// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "show/scene.hpp"

/// \file
/// What both kinds of picture say in words.

namespace daptor::show {

/// `5 x 8 float64 on 6 ranks (2 x 3): block x block`.
std::string headline(const Scene& scene, const char* times);

/// What is drawn of it: the rank's section, the cuts; a sentence each.
std::vector<std::string> remarks(const Scene& scene);

/// `4 x 3`, `1 value` for no dimensions.
std::string shape_text(const std::vector<Index>& shape, const char* times);

/// A line of the legend.
struct LegendEntry {
  int rank = 0;
  bool recorded = true;
  bool empty = false;       ///< owns nothing
  bool in_picture = false;  ///< owns something of what is drawn
  std::string shape;        ///< of the section, padding included
  std::string owned;        ///< elements
  std::string boundary;     ///< widths, `(1, 0) x (0, 0)`; empty without
  std::string communication;
};

inline constexpr std::size_t legend_columns = 6;
using LegendRow = std::array<std::string, legend_columns>;

/// Rank, section, owned elements, both paddings, and a remark; not all need to hold something.
LegendRow legend_head();
LegendRow legend_row(const LegendEntry& entry);
/// Numbers stand at the right of their column.
constexpr bool at_right(std::size_t column) {
  return column == 0 || column == 2;
}

struct Legend {
  std::vector<LegendEntry> entries;
  int left_out = 0;  ///< ranks that did not go into the legend
};

/// In rank order, at most `most` entries; those in the picture come before others. Of a picture of
/// one rank's section, that rank alone.
Legend legend(const Scene& scene, std::size_t most, const char* times);

}  // namespace daptor::show
