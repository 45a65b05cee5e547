// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "daptor/types.hpp"

/// \file
/// The loops of a segmented scan over elements without gaps. Not part of the public interface.

namespace daptor::detail {

/// Room for an element of any type.
struct ScanElement {
  alignas(16) std::byte bytes[32] = {};
};

/// The loops of a scan for one element type and one combination. `running` is the value of the
/// segment up to and with the previous element, and is left as that of the last one. Where a flag
/// is 1 a segment starts; flags are 0 or 1. Source and destination may be the same memory.
struct ScanKernel {
  using Run = void (*)(const void* context, const std::byte* source, std::byte* destination,
                       const std::uint8_t* starts, Index count, void* running);
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

  static void inclusive(const void* context, const std::byte* source, std::byte* destination,
                        const std::uint8_t* starts, Index count, void* running) {
    run<false>(context, source, destination, starts, count, running);
  }
  static void exclusive(const void* context, const std::byte* source, std::byte* destination,
                        const std::uint8_t* starts, Index count, void* running) {
    run<true>(context, source, destination, starts, count, running);
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
  static void one(const Step& step, const std::byte* source, std::byte* destination,
                  const std::uint8_t* starts, Index i, T& value) {
    const auto at = static_cast<std::size_t>(i) * sizeof(T);
    const T element = load_element<T>(source + at);
    if constexpr (Exclusive) {
      const T before = step.before(value, starts[i]);
      value = step.next(value, element, starts[i]);
      store_element(destination + at, before);
    } else {
      value = step.next(value, element, starts[i]);
      store_element(destination + at, value);
    }
  }

  /// Where the parts of a block begin, or false if it has too few starts.
  static bool divide(const std::uint8_t* starts, Index count,
                     std::array<Index, lanes + 1>& bounds) {
    constexpr auto parts = static_cast<Index>(lanes);
    if (parts == 1 || count < 128 * parts) return false;
    bounds[0] = 0;
    bounds[lanes] = count;
    for (std::size_t k = 1; k < lanes; ++k) {
      const Index from = std::max(count * static_cast<Index>(k) / parts, bounds[k - 1] + 1);
      const void* const found =
          std::memchr(starts + from, 1, static_cast<std::size_t>(count - from));
      if (found == nullptr) return false;
      bounds[k] = static_cast<const std::uint8_t*>(found) - starts;
    }
    return true;
  }

  template <bool Exclusive>
  static void run(const void* context, const std::byte* source, std::byte* destination,
                  const std::uint8_t* starts, Index count, void* running) {
    const Step& step = *static_cast<const Step*>(context);
    auto* const last = static_cast<std::byte*>(running);
    std::array<T, lanes> values{};
    values[0] = load_element<T>(last);
    std::array<Index, lanes + 1> bounds{};
    if (!divide(starts, count, bounds)) {
      for (Index i = 0; i < count; ++i)
        one<Exclusive>(step, source, destination, starts, i, values[0]);
      return store_element(last, values[0]);
    }
    Index shortest = count;
    for (std::size_t k = 0; k < lanes; ++k)
      shortest = std::min(shortest, bounds[k + 1] - bounds[k]);
    for (Index i = 0; i < shortest; ++i)
      for (std::size_t k = 0; k < lanes; ++k)
        one<Exclusive>(step, source, destination, starts, bounds[k] + i, values[k]);
    for (std::size_t k = 0; k < lanes; ++k)
      for (Index i = bounds[k] + shortest; i < bounds[k + 1]; ++i)
        one<Exclusive>(step, source, destination, starts, i, values[k]);
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
