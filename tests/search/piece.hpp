// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace daptor::search {

/// Wide enough for every sum and product of two 64-bit numbers.
__extension__ using Wide = __int128;

/// The greatest 64-bit number.
inline constexpr Wide int64_max = std::numeric_limits<std::int64_t>::max();

/// A dimension that is right by itself, in normal form.
struct Piece {
  char type = 'n';
  std::int64_t size = 0, processes = 1, rank = 0;
  bool periodic = false, one_to_one = false, padding_key = false;
  std::int64_t block_size = 1;
  std::int64_t start = 0, stop = 0;   ///< owned range; for 'c' the first index
  std::int64_t lower = 0, upper = 0;  ///< communication padding
  std::int64_t lower_boundary = 0, upper_boundary = 0;
  std::vector<std::int64_t> indices;

  std::int64_t owned_count() const;
  Wide extent() const { return Wide{owned_count()} + lower + upper; }
  /// Every owned global index, in local order. For small sizes.
  std::vector<std::int64_t> owned() const;
};

}  // namespace daptor::search
