// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "daptor/types.hpp"

namespace daptor::detail {

constexpr Index cache_line = 64;

/// Prefetches the beginning of memory that will soon be written, because hardware does not foresee
/// jumps.
inline void prefetch_for_writing([[maybe_unused]] const std::byte* to,
                                 [[maybe_unused]] Index bytes) {
#ifdef __GNUC__
  constexpr Index most = 1024;
  for (Index i = 0; i < std::min(bytes, most); i += cache_line) __builtin_prefetch(to + i, 1);
#endif
}

/// The same of memory that will soon be read.
inline void prefetch_for_reading([[maybe_unused]] const std::byte* from,
                                 [[maybe_unused]] Index bytes = 1) {
#ifdef __GNUC__
  constexpr Index most = 1024;
  for (Index i = 0; i < std::min(bytes, most); i += cache_line) __builtin_prefetch(from + i, 0);
#endif
}

/// Calls `f` with the length of a run. For the lengths of common elements it is a compile-time
/// constant, so that a copy takes one or two register moves; for all other lengths it is 0.
template <class F>
auto with_run_length(Index bytes, const F& f) {
  switch (bytes) {
    case 1:
      return f(std::integral_constant<int, 1>());
    case 2:
      return f(std::integral_constant<int, 2>());
    case 4:
      return f(std::integral_constant<int, 4>());
    case 8:
      return f(std::integral_constant<int, 8>());
    case 12:
      return f(std::integral_constant<int, 12>());
    case 16:
      return f(std::integral_constant<int, 16>());
    case 24:
      return f(std::integral_constant<int, 24>());
    case 32:
      return f(std::integral_constant<int, 32>());
    case 48:
      return f(std::integral_constant<int, 48>());
    case 64:
      return f(std::integral_constant<int, 64>());
    default:
      return f(std::integral_constant<int, 0>());
  }
}

}  // namespace daptor::detail
