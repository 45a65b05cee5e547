// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/detail/layout.hpp"
#include "daptor/section.hpp"

namespace daptor::sundials::detail {

/// In which orders the owned elements of a section are one run; in both if fewer than two extents
/// exceed 1, and in none if there are gaps between them.
struct OwnedOrder {
  bool c = false;
  bool fortran = false;

  bool any() const { return c || fortran; }
};

inline OwnedOrder owned_order(const Section& array) {
  if (array.owned_apart()) return {};
  const auto fits = [&](Order order) {
    return daptor::detail::gapless(array.owned_shape(), array.byte_strides(),
                                   array.type().itemsize(), order);
  };
  return {fits(Order::c), fits(Order::fortran)};
}

}  // namespace daptor::sundials::detail
