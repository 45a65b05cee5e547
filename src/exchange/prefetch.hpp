// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>

#include "daptor/types.hpp"

namespace daptor::detail {

constexpr Index cache_line = 64;

/// Asks for the beginning of memory that will be written soon: no hardware foresees a jump.
inline void prefetch_for_writing([[maybe_unused]] const std::byte* to,
                                 [[maybe_unused]] Index bytes) {
#ifdef __GNUC__
  constexpr Index most = 1024;
  for (Index i = 0; i < std::min(bytes, most); i += cache_line) __builtin_prefetch(to + i, 1);
#endif
}

}  // namespace daptor::detail
