// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "daptor/types.hpp"
#include "sparse/operands.hpp"

namespace daptor::detail {

/// Number of elements that are handled together: few enough that they stay in the cache.
inline constexpr Index strip_block = 512;

/// Writes 1 for each element of a mask that is not 0, and 0 for the others. `count` is at most
/// `strip_block`.
void read_flags(const Strip& mask, Index first, Index count, std::uint8_t* flags);

/// The elements of a mask that are set, a bit for each element.
class MarkedBits {
 public:
  MarkedBits() = default;
  /// Reads the mask once.
  MarkedBits(const Strip& mask, Index count);

  /// Number of bits that are set.
  Index marked() const { return marked_; }
  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  std::vector<std::uint64_t> words_;
  Index marked_ = 0;
};

}  // namespace daptor::detail
