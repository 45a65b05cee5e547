// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <type_traits>

#include "daptor/fields.hpp"

/// \file
/// The integers and the half-open range that every other header uses.

namespace daptor {

/// A global or local index, count or offset. Names say which: `global_…`, `local_…`, `owned_…`.
using Index = std::int64_t;

namespace detail {

/// Whether `T` holds an integer of at most 64 bits. A bool is none.
template <class T>
inline constexpr bool is_integer =
    std::is_convertible_v<T, Index> && !std::is_floating_point_v<T> && std::is_scalar_v<T> &&
    !std::is_same_v<T, bool> && sizeof(T) <= sizeof(Index);

template <class... T>
using RequireIntegers = std::enable_if_t<(is_integer<T> && ...), int>;

}  // namespace detail

/// Half-open range [start, stop) of indices.
struct IndexRange {
  constexpr IndexRange() = default;
  /// Of integers of any type.
  template <class A, class B, detail::RequireIntegers<A, B> = 0>
  constexpr IndexRange(A range_start, B range_stop)
      : start(static_cast<Index>(range_start)), stop(static_cast<Index>(range_stop)) {}

  Index start = 0;
  Index stop = 0;

  constexpr Index size() const { return stop - start; }
  constexpr bool empty() const { return stop <= start; }
  constexpr bool contains(Index i) const { return start <= i && i < stop; }

  friend constexpr bool operator==(IndexRange a, IndexRange b) {
    return a.start == b.start && a.stop == b.stop;
  }
  friend constexpr bool operator!=(IndexRange a, IndexRange b) { return !(a == b); }
};

/// The part that two ranges share; empty (start == stop) if they share no index.
constexpr IndexRange intersect(IndexRange a, IndexRange b) {
  const Index start = a.start > b.start ? a.start : b.start;
  const Index stop = a.stop < b.stop ? a.stop : b.stop;
  return {start, stop > start ? stop : start};
}

std::ostream& operator<<(std::ostream& out, IndexRange range);

/// Widths at the lower and the upper end of a dimension of the local section.
struct Padding {
  Index lower = 0;
  Index upper = 0;

  constexpr Index total() const { return lower + upper; }

  friend constexpr bool operator==(Padding a, Padding b) {
    return a.lower == b.lower && a.upper == b.upper;
  }
  friend constexpr bool operator!=(Padding a, Padding b) { return !(a == b); }
};

std::ostream& operator<<(std::ostream& out, Padding padding);

/// Which dimension of a dense array varies fastest in memory.
enum class Order {
  c,       ///< row-major: the last dimension varies fastest
  fortran  ///< column-major: the first dimension varies fastest
};
constexpr auto words(Order) {
  return word_list(word("C", Order::c, "the last dimension varies fastest"),
                   word("F", Order::fortran, "the first dimension varies fastest"));
}

/// a * b, or `nullopt` if it does not fit in 64 bits.
inline std::optional<Index> checked_multiply(Index a, Index b) {
  Index result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

/// a + b, or `nullopt` if it does not fit in 64 bits.
inline std::optional<Index> checked_add(Index a, Index b) {
  Index result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

/// The owner of an index along one dimension.
struct OwnerAlong {
  /// Grid rank of the owner along the dimension; not a rank of the communicator.
  Index grid_rank = 0;
  /// Position among the owner's owned indices: 0 is the first of them (communication padding is not
  /// counted).
  Index owned_index = 0;

  friend bool operator==(OwnerAlong a, OwnerAlong b) {
    return a.grid_rank == b.grid_rank && a.owned_index == b.owned_index;
  }
  friend bool operator!=(OwnerAlong a, OwnerAlong b) { return !(a == b); }
};

}  // namespace daptor
