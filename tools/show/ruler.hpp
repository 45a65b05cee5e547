// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "show/axis.hpp"

/// \file
/// An axis in pixels.

namespace daptor::show {

struct Ruler {
  Axis axis;
  std::vector<double> starts;  ///< of each region
  std::vector<double> sizes;
  double cell = 0;       ///< of one position, where the scale is `cells`; otherwise 0
  bool widened = false;  ///< some regions are larger than to scale

  double length() const { return starts.back() + sizes.back(); }
  /// Where a position starts; beyond the ends as far as the first and last position are long.
  double at(Index position) const;
};

/// What a ruler may take up.
struct Room {
  double most = 0;
  double preferred = 0;  ///< where it is not cells
  double least = 0;      ///< of a region
  double cell = 0;       ///< of a position where positions are cells; 0 where they are not to be
  double group = 0;      ///< of a region where several ranks are taken together
  double unfolded = 0;   ///< of a region where others are left out
};

Ruler make_ruler(const Line& line, IndexRange positions, const Room& room);

}  // namespace daptor::show
