// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "daptor/section.hpp"

/// \file
/// For authors of adapters: whether the elements of a section follow each other in memory, and
/// which dimension varies fastest. Process-local.

namespace daptor::adapter {

/// Which of the two orders fits; both if fewer than two extents exceed 1.
struct OrderFit {
  bool c = false;
  bool fortran = false;

  bool any() const { return c || fortran; }
  bool has(Order order) const { return order == Order::c ? c : fortran; }
  /// C order unless Fortran order alone fits.
  Order first() const { return c || !fortran ? Order::c : Order::fortran; }
};

/// Whether elements of this shape, with the strides of the section, are one run without gaps.
/// @param first  only of the dimensions from this one on, at each position in those before it
OrderFit gapless(const Section& array, const std::vector<Index>& shape, int first = 0);
/// Whether the owned elements are one run.
OrderFit owned_run(const Section& array, int first = 0);
/// Whether all elements of the section, padding included, are one run.
OrderFit local_run(const Section& array, int first = 0);
/// The order of the dimensions in memory, with or without gaps.
OrderFit memory_order(const Section& array);

int fastest(const Section& array, Order order);
int slowest(const Section& array, Order order);
/// Whether the dimension is undistributed, without communication padding.
bool whole_on_each_process(const Dimension& dimension);
/// Extent of the fastest varying dimension, if it is whole on each process and the array has two
/// dimensions or more; otherwise 1.
Index block_size(const Section& array, Order order);

/// Whether a dimension lists its indices.
bool has_lists(const Section& array);

/// The global indices of a dimension that this process owns, boundary padding included; `nullopt`
/// for lists, and where a process has several blocks in turn.
std::optional<IndexRange> owned_range(const Dimension& dimension);

/// The dimension for memory that has the owned part only: without communication padding or ghosts.
/// That of a block keeps its key (0.9.x).
Dimension owned_only(const Dimension& dimension);

}  // namespace daptor::adapter
