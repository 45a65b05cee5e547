// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "show/scene.hpp"

/// \file
/// The text that both kinds of picture share.

namespace daptor::show {

/// `5 x 8 float64 on 6 ranks (2 x 3): block x block`.
std::string headline(const Scene& scene, const char* times);

/// Sentences about the part that is drawn: the rank's section, and each cut.
std::vector<std::string> remarks(const Scene& scene);

inline constexpr std::size_t legend_columns = 6;
/// Rank, section, owned elements, both paddings, and a remark, any of which may be empty.
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

  /// Whether the column has numbers, which are aligned to the right.
  static constexpr bool at_right(std::size_t column) { return column == 0 || column == 2; }
};

/// Entries for a bounded number of ranks, in rank order; ranks in the picture are preferred to
/// others. If the picture shows one rank's section, that rank alone.
Legend legend(const Scene& scene, const char* times);

/// Number of columns that UTF-8 text takes up, at one column a character.
std::size_t columns_of(std::string_view text);

}  // namespace daptor::show
