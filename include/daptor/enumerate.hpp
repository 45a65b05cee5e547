// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// Numbers the elements of a one-dimensional array.

namespace daptor {

/// A number that becomes an element of an array whose type is known only at run time. Any number of
/// C++ converts to it without a loss.
class Number {
 public:
  using Value = std::variant<std::int64_t, std::uint64_t, long double, std::complex<long double>>;

  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  Number(T value)
      : value_(widened(value)) {}  // not explicit: a literal is written where it is used
  template <class T>
  Number(std::complex<T> value) : value_(std::complex<long double>(value)) {}

  const Value& value() const { return value_; }

 private:
  template <class T>
  static Value widened(T value) {
    if constexpr (std::is_floating_point_v<T>) return static_cast<long double>(value);
    if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>)
      return static_cast<std::uint64_t>(value);
    if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
      return static_cast<std::int64_t>(value);
  }

  Value value_;
};

/// Collective. Writes `start + (i - first) * stride` to the element with global index i, for each i
/// of the range, where `first` is the first index of the range. This is `ga_patch_enum` of Global
/// Arrays, with half-open ranges that count from 0. The ranks may be simulated.
///
/// Every layout is accepted, because each element knows its global index: any distribution, any
/// order of the ranks, strides and padding. Only owned elements are written; if several processes
/// have an index of an unstructured dimension and none says who owns it, all of them write the same
/// value. Besides the agreement nothing is communicated.
///
/// The position i - first is converted to the element's type, multiplied and added in that type:
/// 0.5 and 0.25 give 0.5, 0.75, 1.0 without the error of a running sum. Integers wrap around like
/// unsigned ones.
///
/// Example: 17 elements on any number of ranks, first all of them, then those from index 4:
/// \code
/// daptor::enumerate(a, 1, 1);               // 1 2 3 4 5 6 7 8 9 ...
/// daptor::enumerate(a, 7, 2, {{4, 17}});    // 1 2 3 4 7 9 11 13 15 ...
/// \endcode
/// @param a              one dimension, elements with arithmetic in C++ (integers, floating and
///                       complex numbers in the byte order of this machine)
/// @param start, stride  numbers that the element's type has; integers may be given as signed or as
///                       unsigned ones, and fractions are rounded; the same elements on all ranks
/// @param range          global indices that are written, within [0, size]; if it is not given, all
///                       elements, with `first` 0. The same on all ranks
/// @throws Malformed on all ranks, if the sections do not form one array
/// @throws InvalidArgument on all ranks, before anything is written: `sparse.ndim`, `sparse.type`,
///   `sparse.number`, `sparse.range`, `collective.different`,
///   `sparse.strides`, `sparse.device`, `lease.readonly`, `lease.memory`
/// @throws what a view of the array throws when it is notified of the write: on all ranks, after
///   the elements have been written
void enumerate(const DistArray& a, const Number& start, const Number& stride,
               const std::optional<IndexRange>& range = std::nullopt);

}  // namespace daptor
