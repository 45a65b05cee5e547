// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/rank_line.hpp"

namespace daptor::detail {

RankLine RankLine::of_ranks(const Comm& comm, int step) {
  const int size = comm.size(), rank = comm.rank();
  const auto existing = [&](int other) { return other >= 0 && other < size ? other : -1; };
  return {{size, step > 0 ? rank : size - 1 - rank},
          existing(rank - step),
          existing(rank + step),
          step};
}

}  // namespace daptor::detail
