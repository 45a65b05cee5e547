// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "daptor/types.hpp"

/// \file
/// The loops of a segmented scan over elements without gaps. Not part of the public interface.

namespace daptor::detail {

/// Room for an element of any type.
struct ScanElement {
  alignas(16) std::byte bytes[32] = {};
};

/// The elements behind a block, which the scan of the block asks the processor to load. All at once
/// they would be more requests than a processor keeps, and the lanes of a scan are too short for it
/// to notice by itself that memory is read in order. GCC takes a function that does nothing but
/// this for one without effect, and leaves out the call unless it is inlined.
struct ScanAhead {
  const std::byte* source = nullptr;  ///< null if there is no further block
  const std::byte* mask = nullptr;
  std::size_t mask_itemsize = 0;

  template <std::size_t Itemsize>
  [[gnu::always_inline]] inline void fetch(Index first, Index count) const {
    if (source == nullptr) return;
    fetch(source, Itemsize, first, count);
    fetch(mask, mask_itemsize, first, count);
  }

 private:
  [[gnu::always_inline]] static inline void fetch(const std::byte* from, std::size_t itemsize,
                                                  Index first, Index count) {
    const std::byte* const at = from + static_cast<std::size_t>(first) * itemsize;
    const std::size_t bytes = static_cast<std::size_t>(count) * itemsize;
    for (std::size_t line = 0; line < bytes; line += 64) __builtin_prefetch(at + line);
  }
};

/// Elements that are scanned in one call. Source and destination may be the same memory.
struct ScanBlock {
  const std::byte* source = nullptr;
  std::byte* destination = nullptr;
  const std::uint8_t* starts = nullptr;  ///< 1 where a segment starts, otherwise 0
  Index count = 0;
  ScanAhead ahead;  ///< as many elements
};

/// The loops of a scan for one element type and one combination. `running` is the value of the
/// segment up to and with the previous element, and is left as that of the last one.
struct ScanKernel {
  using Run = void (*)(const void* context, const ScanBlock& block, void* running);
  using Reduce = void (*)(const void* context, const std::byte* source, Index count, void* running);
  using Join = void (*)(const void* context, const void* earlier, void* later);

  Run inclusive = nullptr;
  Run exclusive = nullptr;  ///< null if there is no first value for a segment
  Reduce reduce = nullptr;  ///< combines elements with `running` and writes nothing
  Join join = nullptr;      ///< later = combination of earlier and later
  std::shared_ptr<const void> context;
};

template <class T>
T load_element(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

template <class T>
void store_element(std::byte* at, const T& value) {
  std::memcpy(at, &value, sizeof(T));
}

/// Whether a combination computes with the values of two parts of a block in one register, in a
/// class `Pair`: `Pair(first, second)` has two values or two elements, `next(starts, elements)` and
/// `before(starts)` are those of the step, where bit k of `starts` says whether a segment starts in
/// part k, and `pair[k]` is the value of part k.
template <class Step, class = void>
inline constexpr bool in_pairs = false;
template <class Step>
inline constexpr bool in_pairs<Step, std::void_t<typename Step::Pair>> = true;

/// The loops over elements of type T. `Step` has `combined(a, b)`; `next(running, element, start)`,
/// the value of the segment with the element; `before(running, start)`, what an exclusive scan
/// writes; and `lanes`, the number of parts of a block that are scanned in turn.
///
/// Each element waits for the result of the one before it, while the processor could do several
/// steps at a time. Therefore a block is divided at starts of segments, from which on nothing
/// depends on what precedes, and the scan takes one element of each part in turn. No value changes
/// by this. With two lanes and eight elements of the mask 0 1 0 0 0 1 0 0, the parts are [0, 5) and
/// [5, 8).
template <class T, class Step>
struct ScanLoops {
  static constexpr std::size_t lanes = Step::lanes;
  /// Number of elements of each part between two requests for memory.
  static constexpr Index group = 16;

  static void inclusive(const void* context, const ScanBlock& block, void* running) {
    run<false>(context, block, running);
  }
  static void exclusive(const void* context, const ScanBlock& block, void* running) {
    run<true>(context, block, running);
  }
  static void reduce(const void* context, const std::byte* source, Index count, void* running) {
    const Step& step = *static_cast<const Step*>(context);
    T value = load_element<T>(static_cast<const std::byte*>(running));
    for (Index i = 0; i < count; ++i)
      value =
          step.combined(value, load_element<T>(source + static_cast<std::size_t>(i) * sizeof(T)));
    store_element(static_cast<std::byte*>(running), value);
  }
  static void join(const void* context, const void* earlier, void* later) {
    const Step& step = *static_cast<const Step*>(context);
    auto* const at = static_cast<std::byte*>(later);
    store_element(at, step.combined(load_element<T>(static_cast<const std::byte*>(earlier)),
                                    load_element<T>(at)));
  }

  template <bool Exclusive>
  static void one(const Step& step, const ScanBlock& block, Index i, T& value) {
    const auto at = static_cast<std::size_t>(i) * sizeof(T);
    const T element = load_element<T>(block.source + at);
    if constexpr (Exclusive) {
      const T before = step.before(value, block.starts[i]);
      value = step.next(value, element, block.starts[i]);
      store_element(block.destination + at, before);
    } else {
      value = step.next(value, element, block.starts[i]);
      store_element(block.destination + at, value);
    }
  }

  /// Where the parts of a block begin.
  struct Parts {
    std::array<Index, lanes + 1> bounds{};
    Index shortest = 0;  ///< number of elements of the shortest; 0 if there are too few starts

    explicit Parts(const ScanBlock& block) {
      constexpr auto parts = static_cast<Index>(lanes);
      if (parts == 1) return;
      bounds[lanes] = block.count;
      if (block.count < 128 * parts) return;
      for (std::size_t k = 1; k < lanes; ++k) {
        const Index from = std::max(block.count * static_cast<Index>(k) / parts, bounds[k - 1] + 1);
        const void* const found =
            std::memchr(block.starts + from, 1, static_cast<std::size_t>(block.count - from));
        if (found == nullptr) return;
        bounds[k] = static_cast<const std::uint8_t*>(found) - block.starts;
      }
      shortest = block.count;
      for (std::size_t k = 0; k < lanes; ++k)
        shortest = std::min(shortest, bounds[k + 1] - bounds[k]);
    }
  };

  /// Scans as many elements of two parts as make up whole groups; returns their number.
  template <bool Exclusive>
  static Index run_pairs(const ScanBlock& block, const Parts& parts, std::array<T, lanes>& values) {
    static_assert(lanes == 2);
    using Pair = typename Step::Pair;
    const Index second = parts.bounds[1];
    const auto size = static_cast<Index>(sizeof(T));
    Pair value(values[0], values[1]);
    Index i = 0;
    for (; i + group <= parts.shortest; i += group) {
      block.ahead.fetch<sizeof(T)>(i * 2, group * 2);
      for (Index next = i; next < i + group; ++next) {
        const unsigned starts = block.starts[next] | block.starts[second + next] * 2U;
        const Pair elements(load_element<T>(block.source + next * size),
                            load_element<T>(block.source + (second + next) * size));
        const Pair written = Exclusive ? value.before(starts) : value.next(starts, elements);
        value = Exclusive ? value.next(starts, elements) : written;
        store_element(block.destination + next * size, written[0]);
        store_element(block.destination + (second + next) * size, written[1]);
      }
    }
    values = {value[0], value[1]};
    return i;
  }

  /// The same with each part's value by itself.
  template <bool Exclusive>
  static Index run_parts(const Step& step, const ScanBlock& block, const Parts& parts,
                         std::array<T, lanes>& values) {
    constexpr auto width = static_cast<Index>(lanes);
    Index i = 0;
    for (; i + group <= parts.shortest; i += group) {
      block.ahead.fetch<sizeof(T)>(i * width, group * width);
      for (Index next = i; next < i + group; ++next)
        for (std::size_t k = 0; k < lanes; ++k)
          one<Exclusive>(step, block, parts.bounds[k] + next, values[k]);
    }
    return i;
  }

  template <bool Exclusive>
  static void run(const void* context, const ScanBlock& given, void* running) {
    const ScanBlock block = given;  // which nothing that is written can be a part of
    const Step& step = *static_cast<const Step*>(context);
    auto* const last = static_cast<std::byte*>(running);
    const Parts parts(block);
    std::array<T, lanes> values{};
    values[0] = load_element<T>(last);
    if (parts.shortest == 0) {
      for (Index i = 0; i < block.count; ++i) {
        if (i % group == 0) block.ahead.fetch<sizeof(T)>(i, group);
        one<Exclusive>(step, block, i, values[0]);
      }
      return store_element(last, values[0]);
    }
    Index done = 0;
    if constexpr (in_pairs<Step>)
      done = run_pairs<Exclusive>(block, parts, values);
    else
      done = run_parts<Exclusive>(step, block, parts, values);
    for (std::size_t k = 0; k < lanes; ++k)
      for (Index rest = parts.bounds[k] + done; rest < parts.bounds[k + 1]; ++rest)
        one<Exclusive>(step, block, rest, values[k]);
    store_element(last, values[lanes - 1]);
  }

  static ScanKernel kernel(std::shared_ptr<const Step> step, bool has_first) {
    return {inclusive, has_first ? exclusive : nullptr, reduce, join, std::move(step)};
  }
};

/// A combination of the caller's.
template <class T, class F>
struct CallersStep {
  static constexpr std::size_t lanes = 1;
  F combine;
  T identity;

  T combined(const T& a, const T& b) const { return combine(a, b); }
  T next(const T& running, const T& element, std::uint8_t start) const {
    return start != 0 ? element : combine(running, element);
  }
  T before(const T& running, std::uint8_t start) const { return start != 0 ? identity : running; }
};

}  // namespace daptor::detail
