// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/owners_in_line.hpp"

#include "proof/walk.hpp"

namespace daptor::detail {

RankLine owners_in_line(const DistArray& array, const Comm& comm) {
  const auto proven = validation::Walk(comm, {Level::metadata}).prove(array);
  const GridPosition grid = array.dimension(0).grid();
  const Proven::Along& along = proven->along[0];
  return {grid, grid.first() ? -1 : along.below, grid.last() ? -1 : along.above,
          proven->row_major ? 1 : 0};
}

}  // namespace daptor::detail
