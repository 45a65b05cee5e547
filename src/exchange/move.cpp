// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/move.hpp"

#include <cstring>

#include "exchange/paired_loops.hpp"
#include "exchange/run_length.hpp"

namespace daptor::detail {
namespace {

/// Copies runs of `Size` bytes, or of `run` bytes if `Size` is 0.
template <int Size, class To, class From>
void copy_runs(Index count, Index run, const To& to, const From& from, Stores stores) {
  const bool jumps = Size == 0 && stores == Stores::cached && count > 1 && to(1) != to(0) + run;
  for (Index i = 0; i < count; ++i) {
    if (jumps && i + 1 < count) prefetch_for_writing(to(i + 1), run);
    if constexpr (Size > 0)
      std::memcpy(to(i), from(i), Size);
    else
      copy_run(to(i), from(i), run, stores);
  }
}

template <class To, class From>
void copy_runs(const InnerLoop& loop, const To& to, const From& from,
               Stores stores = Stores::cached) {
  with_run_length(loop.run, [&](auto length) {
    copy_runs<decltype(length)::value>(loop.count, loop.run, to, from, stores);
  });
}

/// Calls `copy` with a function that returns the address of run `i`: `first + offsets[i]` or `first
/// + i * stride`. The two cases are compiled separately, so that each has a simple loop.
template <class F>
void with_addresses(const InnerLoop& loop, F&& copy) {
  if (loop.offsets != nullptr)
    copy([&loop](auto* first) {
      return [&loop, first](Index i) { return first + loop.offsets[i]; };
    });
  else
    copy([stride = loop.stride](auto* first) {
      return [stride, first](Index i) { return first + i * stride; };
    });
}

template <class T>
auto consecutive(T* first, Index run) {
  return [first, run](Index i) { return first + i * run; };
}

}  // namespace

std::byte* pack(const MemoryRuns& runs, const std::byte* array, std::byte* packed) {
  if (runs.packing() != nullptr) {
    runs.packing()->copy(array + runs.first(), packed);
    return packed + runs.bytes();
  }
  runs.for_each([&](Index offset, const InnerLoop& loop) {
    if (loop.lengths != nullptr) {
      for (Index i = 0; i < loop.count; packed += loop.lengths[i++])
        std::memcpy(packed, array + offset + loop.offsets[i],
                    static_cast<std::size_t>(loop.lengths[i]));
      return;
    }
    with_addresses(loop, [&](const auto& strided) {
      copy_runs(loop, consecutive(packed, loop.run), strided(array + offset));
    });
    packed += loop.bytes;
  });
  return packed;
}

const std::byte* unpack(const MemoryRuns& runs, const std::byte* packed, std::byte* array,
                        Stores stores) {
  if (runs.unpacking() != nullptr) {
    runs.unpacking()->copy(packed, array + runs.first(), stores);
    return packed + runs.bytes();
  }
  const bool cached = stores == Stores::cached;
  runs.for_each([&](Index offset, const InnerLoop& loop) {
    if (loop.lengths != nullptr) {
      for (Index i = 0; i < loop.count; packed += loop.lengths[i++]) {
        if (cached && i + 1 < loop.count)
          prefetch_for_writing(array + offset + loop.offsets[i + 1], loop.lengths[i + 1]);
        copy_run(array + offset + loop.offsets[i], packed, loop.lengths[i], stores);
      }
      return;
    }
    with_addresses(loop, [&](const auto& strided) {
      copy_runs(loop, strided(array + offset), consecutive(packed, loop.run), stores);
    });
    packed += loop.bytes;
  });
  if (!cached) finish_streaming();
  return packed;
}

void copy_within(const MemoryRuns& runs, std::byte* array, Index distance) {
  runs.for_each([&](Index offset, const InnerLoop& loop) {
    if (loop.lengths != nullptr) {
      for (Index i = 0; i < loop.count; ++i) {
        std::byte* const from = array + offset + loop.offsets[i];
        std::memcpy(from + distance, from, static_cast<std::size_t>(loop.lengths[i]));
      }
      return;
    }
    with_addresses(loop, [&](const auto& strided) {
      copy_runs(loop, strided(array + offset + distance), strided(array + offset));
    });
  });
}

}  // namespace daptor::detail
