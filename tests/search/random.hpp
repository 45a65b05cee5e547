// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "daptor/types.hpp"

namespace daptor::search {

/// The same numbers for the same seed, with every compiler and library. If it is given bytes, they
/// decide first: this lets a fuzzer control what is generated.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  Random(const std::uint8_t* bytes, std::size_t count, std::uint64_t seed)
      : state_(seed), next_(bytes), left_(count) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// A number in [0, n); n is at least 1.
  Index below(Index n) {
    if (left_ > 0 && n <= 256) {
      --left_;
      return *next_++ % n;
    }
    return static_cast<Index>(bits() % static_cast<std::uint64_t>(n));
  }
  /// A number between both bounds, which are included.
  Index between(Index least, Index most) { return least + below(most - least + 1); }
  bool chance(int percent) { return below(100) < percent; }

  template <class T>
  const T& pick(const std::vector<T>& items) {
    return items[static_cast<std::size_t>(below(static_cast<Index>(items.size())))];
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[static_cast<std::size_t>(below(static_cast<Index>(i)))]);
  }

 private:
  std::uint64_t state_;
  const std::uint8_t* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace daptor::search
