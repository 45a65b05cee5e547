// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/move.hpp"

#include <cstring>

#include "exchange/paired_loops.hpp"
#include "exchange/prefetch.hpp"

namespace daptor::detail {
namespace {

/// `Size` bytes, or as many as `run` where it is 0: a known size is a register move or two.
template <int Size, class To, class From>
void copy_runs(Index count, Index run, const To& to, const From& from) {
  const bool jumps = Size == 0 && count > 1 && to(1) != to(0) + run;
  for (Index i = 0; i < count; ++i) {
    if (jumps && i + 1 < count) prefetch_for_writing(to(i + 1), run);
    std::memcpy(to(i), from(i), static_cast<std::size_t>(Size > 0 ? Size : run));
  }
}

template <class To, class From>
void copy_runs(const InnerLoop& loop, const To& to, const From& from) {
  switch (loop.run) {
    case 1:
      return copy_runs<1>(loop.count, 0, to, from);
    case 2:
      return copy_runs<2>(loop.count, 0, to, from);
    case 4:
      return copy_runs<4>(loop.count, 0, to, from);
    case 8:
      return copy_runs<8>(loop.count, 0, to, from);
    case 12:
      return copy_runs<12>(loop.count, 0, to, from);
    case 16:
      return copy_runs<16>(loop.count, 0, to, from);
    case 24:
      return copy_runs<24>(loop.count, 0, to, from);
    case 32:
      return copy_runs<32>(loop.count, 0, to, from);
    case 48:
      return copy_runs<48>(loop.count, 0, to, from);
    case 64:
      return copy_runs<64>(loop.count, 0, to, from);
    default:
      return copy_runs<0>(loop.count, loop.run, to, from);
  }
}

/// `first + i * step`, or `first + offsets[i]`: apart, so that the loops stay simple.
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

std::byte* pack(const Runs& runs, const std::byte* array, std::byte* packed) {
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

const std::byte* unpack(const Runs& runs, const std::byte* packed, std::byte* array) {
  if (runs.unpacking() != nullptr) {
    runs.unpacking()->copy(packed, array + runs.first());
    return packed + runs.bytes();
  }
  runs.for_each([&](Index offset, const InnerLoop& loop) {
    if (loop.lengths != nullptr) {
      for (Index i = 0; i < loop.count; packed += loop.lengths[i++]) {
        if (i + 1 < loop.count)
          prefetch_for_writing(array + offset + loop.offsets[i + 1], loop.lengths[i + 1]);
        std::memcpy(array + offset + loop.offsets[i], packed,
                    static_cast<std::size_t>(loop.lengths[i]));
      }
      return;
    }
    with_addresses(loop, [&](const auto& strided) {
      copy_runs(loop, strided(array + offset), consecutive(packed, loop.run));
    });
    packed += loop.bytes;
  });
  return packed;
}

void copy_within(const Runs& runs, std::byte* array, Index distance) {
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
