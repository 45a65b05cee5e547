// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/rank_line.hpp"

#include "proof/walk.hpp"

namespace daptor::detail {

RankLine RankLine::of(const DistArray& array, const Comm& comm) {
  const auto proven = validation::Walk(comm, {Level::metadata}).prove(array);
  const GridPosition grid = array.dimension(0).grid();
  const Proven::Along& along = proven->along[0];
  return {grid, grid.first() ? -1 : along.below, grid.last() ? -1 : along.above,
          proven->row_major ? 1 : 0};
}

RankLine RankLine::of_ranks(const Comm& comm, int step) {
  const int size = comm.size(), rank = comm.rank();
  const auto existing = [&](int other) { return other >= 0 && other < size ? other : -1; };
  return {{size, step > 0 ? rank : size - 1 - rank},
          existing(rank - step),
          existing(rank + step),
          step};
}

}  // namespace daptor::detail
