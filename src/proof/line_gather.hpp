// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/dimension.hpp"

namespace daptor::detail {

/// Collective over one line of the grid. Each process passes its value in `values[0]`; afterwards
/// `values[i]` is the value of grid rank i on all processes. `values` has `grid.size` entries.
/// `partner(distance)` is the rank in the communicator of the process that is `distance` further
/// along the line, which wraps around; it is called for -1, +1, -2, +2, -4, … in this order, below
/// `grid.size`.
///
/// The number of values that a process knows doubles in every step: it sends its `known` values to
/// the process that is `known` places before it, and receives as many from the process `known`
/// places after it.
template <class Partner>
void gather_line(const Comm& comm, GridPosition grid, Partner&& partner,
                 std::vector<Index>& values) {
  for (Index known = 1; known < grid.size; known *= 2) {
    const auto count = static_cast<std::size_t>(std::min(known, grid.size - known));
    const int before = partner(-known);
    const int after = partner(known);
    comm->sendrecv(before, values.data(), count * sizeof(Index), after, values.data() + known,
                   count * sizeof(Index));
  }
  // Until now values[i] is the value of the process i places after this one.
  const auto first = (grid.size - grid.rank) % grid.size;
  std::rotate(values.begin(), values.begin() + first, values.begin() + grid.size);
}

}  // namespace daptor::detail
