// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "daptor/detail/bytes_past.hpp"
#include "exchange/run_length.hpp"

namespace daptor::detail {

/// How a copy writes: through the caches, or past them. The latter does not read what it overwrites
/// and leaves in the caches what is there, but the bytes have to come back from memory.
enum class Stores { cached, streaming };

/// Copies that write at least as much stream. The last caches that processes share hold less for
/// each of them on most processors.
constexpr Index streaming_from = Index{32} << 20;

constexpr Stores stores_for(Index bytes) {
  return bytes >= streaming_from ? Stores::streaming : Stores::cached;
}

/// Bytes from an address to the next cache line.
inline Index to_next_line(const std::byte* at) {
  return static_cast<Index>(detail::bytes_before(at, std::size_t{cache_line}));
}

/// Sixteen bytes in a register, where the machine has such.
/// \{
#ifdef __SSE2__
using Vector = __m128i;

inline Vector load(const std::byte* at) {
  return _mm_loadu_si128(reinterpret_cast<const Vector*>(at));
}
inline void store(std::byte* to, Vector vector) {
  _mm_storeu_si128(reinterpret_cast<Vector*>(to), vector);
}
/// Past the caches. The address is a multiple of 16 bytes, and `finish_streaming` must follow.
inline void stream(std::byte* to, Vector vector) {
  _mm_stream_si128(reinterpret_cast<Vector*>(to), vector);
}
#else
struct Vector {
  std::byte bytes[16];
};

inline Vector load(const std::byte* at) {
  Vector vector;
  std::memcpy(&vector, at, sizeof vector);
  return vector;
}
inline void store(std::byte* to, const Vector& vector) {
  std::memcpy(to, &vector, sizeof vector);
}
inline void stream(std::byte* to, const Vector& vector) {
  store(to, vector);
}
#endif
constexpr Index vector_bytes = sizeof(Vector);
/// \}

/// Orders streamed bytes before what this thread writes later, such as a message that they are
/// there.
inline void finish_streaming() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

/// Copies consecutive bytes, whole cache lines of them past the caches. `finish_streaming` must
/// follow.
inline void stream_run(std::byte* to, const std::byte* from, Index bytes) {
  const Index head = std::min(bytes, to_next_line(to));
  const Index tail = head + (bytes - head) / cache_line * cache_line;
  std::memcpy(to, from, static_cast<std::size_t>(head));
  for (Index i = head; i < tail; i += vector_bytes) stream(to + i, load(from + i));
  std::memcpy(to + tail, from + tail, static_cast<std::size_t>(bytes - tail));
}

/// Copies a run of bytes. Short ones share their lines with others, which streaming would write in
/// parts.
inline void copy_run(std::byte* to, const std::byte* from, Index bytes, Stores stores) {
  constexpr Index least = 16 * cache_line;
  if (stores == Stores::streaming && bytes >= least)
    stream_run(to, from, bytes);
  else
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

}  // namespace daptor::detail
