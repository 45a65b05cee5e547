// SPDX-License-Identifier: BSD-3-Clause
#include "piece.hpp"

#include <algorithm>

namespace daptor::search {

std::int64_t Piece::owned_count() const {
  if (type == 'u') return static_cast<std::int64_t>(indices.size());
  if (type != 'c') return stop - start;
  if (start >= size) return 0;
  if (size <= 4096) return static_cast<std::int64_t>(owned().size());
  // Whole rounds from the first block on, and the rest of the last round.
  const Wide round = Wide{block_size} * processes;
  const Wide left = Wide{size} - start;
  const Wide rest = left % round;
  return static_cast<std::int64_t>(left / round * block_size + std::min(rest, Wide{block_size}));
}

std::vector<std::int64_t> Piece::owned() const {
  if (type == 'u') return indices;
  std::vector<std::int64_t> all;
  if (type == 'c') {
    for (Wide block = start; block < size; block += Wide{block_size} * processes)
      for (Wide i = block; i < block + block_size && i < size; ++i)
        all.push_back(static_cast<std::int64_t>(i));
  } else {
    for (std::int64_t i = start; i < stop; ++i) all.push_back(i);
  }
  return all;
}

}  // namespace daptor::search
