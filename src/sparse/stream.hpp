// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>

#include "daptor/detail/bytes_past.hpp"
#include "daptor/types.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace daptor::detail {

/// Parts of at least this many bytes do not fit in a core's caches, so that it is faster to write
/// past them: a line that is written as a whole need not be read first.
inline constexpr std::size_t streamed_bytes = std::size_t{4} << 20U;

/// Number of elements before the first one that begins a cache line; 0 if none does. A line that is
/// written in two blocks is sent to memory twice.
inline Index elements_before_line(const std::byte* to, std::size_t itemsize) {
  const std::size_t bytes = bytes_before(to, 64);
  return bytes % itemsize == 0 ? static_cast<Index>(bytes / itemsize) : 0;
}

/// Copies a block, which is in the cache, to memory past the caches. Call `end_of_stream` before
/// another thread or process is told of the elements.
inline void stream_block(std::byte* to, const std::byte* from, std::size_t bytes) {
#ifdef __SSE2__
  const std::size_t head = bytes_before(to, 16);
  if (bytes >= head + 64) {
    std::memcpy(to, from, head);
    to += head;
    from += head;
    bytes -= head;
    for (; bytes >= 64; bytes -= 64, to += 64, from += 64)
      for (std::size_t i = 0; i < 64; i += 16)
        _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
  }
#endif
  std::memcpy(to, from, bytes);
}

inline void end_of_stream() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace daptor::detail
