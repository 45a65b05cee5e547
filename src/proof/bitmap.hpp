// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "daptor/types.hpp"

namespace daptor::proof {

class Bitmap {
 public:
  explicit Bitmap(Index bits) : words_(static_cast<std::size_t>(bits / 64 + 1)) {}

  /// Sets a bit and returns whether it was set before.
  bool set(std::uint64_t bit) {
    std::uint64_t& word = words_[bit / 64];
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    const bool before = (word & mask) != 0;
    word |= mask;
    return before;
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace daptor::proof
