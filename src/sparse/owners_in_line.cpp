// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/owners_in_line.hpp"

namespace daptor::detail {

RankLine owners_in_line(const Section& array, const Proven& proven) {
  const GridPosition grid = array.dimension(0).grid();
  const Proven::Along& along = proven.along[0];
  return {grid, grid.first() ? -1 : along.below, grid.last() ? -1 : along.above,
          proven.row_major ? 1 : 0};
}

}  // namespace daptor::detail
