// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "show/scene.hpp"

/// \file
/// What both kinds of picture say in words.

namespace daptor::show {

/// `5 x 8 float64 on 6 ranks (2 x 3): block x block`.
std::string headline(const Scene& scene, const char* times);

/// What is drawn of it: the rank's section, the cuts; a sentence each.
std::vector<std::string> remarks(const Scene& scene);

inline constexpr std::size_t legend_columns = 6;
/// Rank, section, owned elements, both paddings, and a remark; not all need to hold something.
using LegendRow = std::array<std::string, legend_columns>;

/// A line of the legend.
struct LegendEntry {
  int rank = 0;
  bool holds = false;       ///< was recorded, and owns something
  bool in_picture = false;  ///< owns something of what is drawn
  LegendRow row;
};

struct Legend {
  LegendRow head;
  std::vector<LegendEntry> entries;
  std::array<std::size_t, legend_columns> widths;  ///< characters; 0 where no entry has anything
  int left_out = 0;                                ///< ranks that did not go into the legend

  /// Numbers stand at the right of their column.
  static constexpr bool at_right(std::size_t column) { return column == 0 || column == 2; }
};

/// In rank order, of a bounded number of ranks: those in the picture come before others. Of a
/// picture of one rank's section, that rank alone.
Legend legend(const Scene& scene, const char* times);

/// Columns that UTF-8 text takes up, where each character takes one.
std::size_t columns_of(std::string_view text);

}  // namespace daptor::show
