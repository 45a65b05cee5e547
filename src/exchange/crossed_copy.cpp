// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/crossed_copy.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "exchange/run_length.hpp"
#include "exchange/stores.hpp"

namespace daptor::detail {
namespace {

using Loop = PairedLoops::Loop;
using Steps = PairedLoops::Steps;

/// The offsets of a part of a loop.
template <Index Most>
struct PartOffsets {
  PartOffsets(const Steps& steps, Index start, Index count) {
    for (Index i = 0; i < count; ++i)
      offsets[static_cast<std::size_t>(i)] = steps.offset(start + i);
  }
  Index operator[](Index i) const { return offsets[static_cast<std::size_t>(i)]; }
  /// Whether `count` elements from position `start` are contiguous.
  bool dense(Index start, Index count, Index size) const {
    for (Index i = 1; i < count; ++i)
      if ((*this)[start + i] != (*this)[start] + i * size) return false;
    return true;
  }

  std::array<Index, static_cast<std::size_t>(Most)> offsets;
};

/// A part of a loop with its offsets on both sides.
template <Index Most>
struct PairedPart {
  PairedPart(const Loop& loop, Index start, Index stop)
      : count(std::min(Most, stop - start)),
        from(loop.from, start, count),
        to(loop.to, start, count) {}

  Index count;
  PartOffsets<Most> from, to;
};
using Down = PairedPart<crossed_strip>;
using Across = PairedPart<crossed_edge>;

/// Copies `Size` bytes, or `run` bytes if `Size` is 0.
template <int Size>
void copy_one(std::byte* to, const std::byte* from, Index run) {
  std::memcpy(to, from, static_cast<std::size_t>(Size > 0 ? Size : run));
}

/// Rows of a tile. A tile of common elements is as high as a cache line of them.
template <int Size>
constexpr Index tile_rows =
    Size > 0 && Size < cache_line&& cache_line % Size == 0 ? cache_line / Size : 8;

/// Addresses of the first elements of a tile's rows.
template <int Size>
using Rows = std::array<const std::byte*, static_cast<std::size_t>(tile_rows<Size>)>;

template <int Size, class AnyDown>
Rows<Size> rows_at(const AnyDown& down, Index row, const std::byte* from) {
  Rows<Size> rows;
  for (Index a = 0; a < tile_rows<Size>; ++a)
    rows[static_cast<std::size_t>(a)] = from + down.from[row + a];
  return rows;
}

/// Whether lines of these elements are put together in registers.
template <int Size>
constexpr bool gathered = Size == 4 || Size == 8 || Size == 16;

template <class T>
T element(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// The elements `offset` bytes from each of the addresses, as many as fill a vector.
template <int Size>
Vector gather(const std::byte* const* rows, Index offset) {
  if constexpr (Size == vector_bytes) return load(rows[0] + offset);
#ifdef __SSE2__
  if constexpr (Size == 8)
    return _mm_castpd_si128(
        _mm_set_pd(element<double>(rows[1] + offset), element<double>(rows[0] + offset)));
  if constexpr (Size == 4)
    return _mm_castps_si128(
        _mm_set_ps(element<float>(rows[3] + offset), element<float>(rows[2] + offset),
                   element<float>(rows[1] + offset), element<float>(rows[0] + offset)));
#else
  Vector vector;
  for (Index k = 0; k < vector_bytes / Size; ++k)
    std::memcpy(vector.bytes + k * Size, rows[k] + offset, Size);
  return vector;
#endif
}

/// Writes a line of elements with `write`.
template <int Size, void (*write)(std::byte*, Vector)>
inline void write_line(const Rows<Size>& rows, Index offset, std::byte* to) {
  static_assert(cache_line == 4 * vector_bytes);
  constexpr Index each = vector_bytes / Size;
  // Not a loop, which GCC does not unroll at -O2.
  const std::byte* const* row = rows.data();
  write(to, gather<Size>(row, offset));
  write(to + vector_bytes, gather<Size>(row + each, offset));
  write(to + 2 * vector_bytes, gather<Size>(row + 2 * each, offset));
  write(to + 3 * vector_bytes, gather<Size>(row + 3 * each, offset));
}

/// Copies the elements `offset` bytes from the beginning of each of a tile's rows.
template <int Size>
void copy_column(const Rows<Size>& rows, Index offset, std::byte* to) {
  if constexpr (gathered<Size>) return write_line<Size, store>(rows, offset, to);
  for (const std::byte* const row : rows) {
    std::memcpy(to, row + offset, Size);
    to += Size;
  }
}

/// Iterations across that are copied together past the caches: more pages than these would not stay
/// in use.
constexpr Index streamed_edge = 512;
using StreamedAcross = PairedPart<streamed_edge>;

/// Copies rows [start, stop) of column `b`, element by element.
template <int Size, class AnyDown>
void copy_rows(const AnyDown& down, const StreamedAcross& across, Index b, IndexRange rows,
               const std::byte* from, std::byte* to) {
  for (Index a = rows.start; a < rows.stop; ++a)
    std::memcpy(to + across.to[b] + down.to[a], from + across.from[b] + down.from[a], Size);
}

/// Columns that begin at different places in their lines are written a few at a time, because
/// processors collect the bytes of only a few lines on their way past the caches.
constexpr Index few_columns = 4;

/// Rows of a strip, and those after it to which a cache line may go on that begins in the strip.
struct StreamedDown {
  StreamedDown(const Loop& loop, IndexRange strip)
      : count(strip.stop - strip.start),
        stride(loop.to.offsets.empty() ? loop.to.stride : 0),
        // Lines go on from strip to strip only if all of them have the same distance.
        first(strip.start == 0 || !loop.to.offsets.empty()),
        last(strip.stop == loop.count || !loop.to.offsets.empty()),
        rows(loop, strip.start, last ? strip.stop : std::min(strip.stop + cache_line, loop.count)) {
  }

  Index count;       // of rows in the strip
  Index stride;      // of all rows; 0 if they are listed
  bool first, last;  // no line of another strip goes on here, or of this one in the next
  PairedPart<crossed_strip + cache_line> rows;
};

/// Copies columns past the caches, if that can be done: a line of each of them, then the next line
/// of each, so that rows are read along memory. Lines belong to the strip in which they begin.
template <int Size>
bool stream_strip(const StreamedDown& down, const StreamedAcross& across, const std::byte* from,
                  std::byte* to) {
  if constexpr (gathered<Size>) {
    constexpr Index height = tile_rows<Size>;
    const auto& rows_of = down.rows;
    // A strip may have one row: whether it is dense must not depend on the strip.
    if (down.stride != 0 && down.stride != Size) return false;
    if (!rows_of.to.dense(0, rows_of.count, Size)) return false;
    std::array<Index, streamed_edge> heads;
    const auto head = [&](Index b) -> Index& { return heads[static_cast<std::size_t>(b)]; };
    Index lines = rows_of.count;
    for (Index b = 0; b < across.count; ++b) {
      const Index bytes = to_next_line(to + across.to[b] + rows_of.to[0]);
      if (bytes % Size != 0) return false;
      head(b) = std::min(bytes / Size, down.count);
      const Index begun = (down.count - head(b) + height - 1) / height;
      lines = std::min({lines, begun, (rows_of.count - head(b)) / height});
    }
    const bool alike = std::all_of(heads.begin() + 1, heads.begin() + across.count,
                                   [&](Index other) { return other == heads.front(); });
    const Index width = alike ? across.count : few_columns;
    for (Index first = 0; first < across.count; first += width)
      for (Index row = 0; row < lines * height; row += height) {
        Rows<Size> rows = rows_at<Size>(rows_of, row + head(first), from);
        if (!alike)
          for (Index a = 0; a < height; ++a)
            prefetch_for_reading(rows[static_cast<std::size_t>(a)] + across.from[first] +
                                 cache_line);
        for (Index b = first; b < std::min(first + width, across.count); ++b) {
          if (!alike) rows = rows_at<Size>(rows_of, row + head(b), from);
          write_line<Size, stream>(rows, across.from[b],
                                   to + across.to[b] + rows_of.to[row + head(b)]);
        }
      }
    for (Index b = 0; b < across.count; ++b) {
      const Index begun = (down.count - head(b) + height - 1) / height * height;
      const Index end = std::min(rows_of.count, head(b) + begun);
      if (down.first) copy_rows<Size>(rows_of, across, b, {0, head(b)}, from, to);
      copy_rows<Size>(rows_of, across, b, {head(b) + lines * height, end}, from, to);
    }
    return true;
  }
  return false;
}

/// Prefetches the next tile, because on both sides its lines are on different pages, which a
/// hardware prefetcher does not foresee.
template <int Size>
void prefetch_tile(const Down& down, Index row, const Across& next, const std::byte* from,
                   std::byte* to) {
  for (Index a = 0; a < tile_rows<Size>; ++a)
    prefetch_for_reading(from + next.from[0] + down.from[row + a]);
  for (Index b = 0; b < crossed_edge; ++b)
    prefetch_for_writing(to + next.to[b] + down.to[row], cache_line);
}

/// Copies a strip of tiles; `next` is the strip that follows it.
template <int Size>
void copy_strip(const Down& down, const Across& across, const Across& next, Index run,
                const std::byte* from, std::byte* to) {
  constexpr Index height = tile_rows<Size>;
  const bool wide =
      Size > 0 && across.count == crossed_edge && across.from.dense(0, crossed_edge, Size);
  for (Index row = 0; row < down.count; row += height) {
    if (wide && row + height <= down.count && down.to.dense(row, height, Size)) {
      if (next.count == crossed_edge) prefetch_tile<Size>(down, row, next, from, to);
      const Rows<Size> rows = rows_at<Size>(down, row, from + across.from[0]);
      for (Index b = 0; b < crossed_edge; ++b)
        copy_column<Size>(rows, b * Size, to + across.to[b] + down.to[row]);
      continue;
    }
    const Index end = std::min(row + height, down.count);
    for (Index b = 0; b < across.count; ++b)
      for (Index a = row; a < end; ++a)
        copy_one<Size>(to + across.to[b] + down.to[a], from + across.from[b] + down.from[a], run);
  }
}

/// Copies a strip of part of the iterations across, through the caches.
template <int Size>
void copy_strips(const Down& rows, const PairedLoops::Innermost& loops, IndexRange part,
                 const std::byte* from, std::byte* to) {
  const Index stop = loops.across_part.stop;
  Across now(*loops.across, part.start, stop);
  for (Index b = part.start; b < part.stop; b += crossed_edge) {
    const Across next(*loops.across, std::min(b + crossed_edge, stop), stop);
    copy_strip<Size>(rows, now, next, loops.run, from, to);
    now = next;
  }
}

template <int Size>
void copy_crossed(const PairedLoops::Innermost& loops, const std::byte* from, std::byte* to) {
  const IndexRange& across = loops.across_part;
  for (Index a = loops.down_part.start; a < loops.down_part.stop; a += crossed_strip) {
    const IndexRange strip{a, std::min(a + crossed_strip, loops.down_part.stop)};
    const Down rows(*loops.down, strip.start, strip.stop);
    if (loops.stores == Stores::cached) {
      copy_strips<Size>(rows, loops, across, from, to);
      continue;
    }
    const StreamedDown lines(*loops.down, strip);
    for (Index b = across.start; b < across.stop; b += streamed_edge) {
      const StreamedAcross columns(*loops.across, b, across.stop);
      if (!stream_strip<Size>(lines, columns, from, to))
        copy_strips<Size>(rows, loops, {b, std::min(b + streamed_edge, across.stop)}, from, to);
    }
  }
}

}  // namespace

PairedLoops::Kernel crossed_kernel(Index run) {
  return with_run_length(run, [](auto length) -> PairedLoops::Kernel {
    return copy_crossed<decltype(length)::value>;
  });
}

}  // namespace daptor::detail
