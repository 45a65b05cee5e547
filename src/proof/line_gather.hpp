// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/dimension.hpp"

namespace daptor::detail {

/// Collective over one line of the grid: each process brings one value in `values[0]`, and all have
/// the value of grid rank i in `values[i]` afterwards. `values` has `grid.size` entries.
/// `partner(distance)` is the communicator rank that stands `distance` further along the line,
/// around its end; asked for -1, +1, -2, +2, -4, … in this order, below `grid.size`.
///
/// Each process's knowledge doubles in every step: it hands what it has to the process `known`
/// before it, and takes as much from the one `known` after it.
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
  // So far values[i] is that of the process i after this one.
  const auto first = (grid.size - grid.rank) % grid.size;
  std::rotate(values.begin(), values.begin() + first, values.begin() + grid.size);
}

}  // namespace daptor::detail
