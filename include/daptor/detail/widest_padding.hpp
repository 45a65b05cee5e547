// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "daptor/section.hpp"

/// \file
/// Not part of the public interface.

namespace daptor::detail {

/// The widest communication padding on any edge of this process's section; ghosts of a list are on
/// no edge.
inline Index widest_padding(const Section& array) {
  Index widest = 0;
  for (const Dimension& dimension : array.dimensions()) {
    if (dimension.as<Unstructured>() != nullptr) continue;
    const Padding padding = dimension.communication_padding();
    widest = std::max({widest, padding.lower, padding.upper});
  }
  return widest;
}

}  // namespace daptor::detail
