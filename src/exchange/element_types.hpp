// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include "daptor/datatype.hpp"

/// Selects a C++ type for an element type that is known only at run time.

namespace daptor::detail {

template <class T>
struct Real {
  using type = T;
};
template <class T>
struct Real<std::complex<T>> {
  using type = T;
};
template <class T>
inline constexpr bool is_complex = !std::is_same_v<typename Real<T>::type, T>;

/// Integers wrap around, as with MPI_SUM.
template <class T>
T sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
  } else {
    return a + b;
  }
}

/// Integers wrap around. Complex numbers are multiplied by the formula, without C's special cases
/// for infinite parts.
template <class T>
T product(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    // At least as wide as `unsigned`, because narrow types would be promoted to `int`.
    using U = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
    return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
  } else if constexpr (is_complex<T>) {
    return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  } else {
    return a * b;
  }
}

template <class T>
struct Tag {
  using type = T;
};

/// Calls `f` with the Tag of the first type whose size is the element's, and returns its result;
/// returns `nothing` if there is no such type.
template <class F, class Result, class... Ts>
Result with_size(std::size_t itemsize, const F& f, Result nothing, Tag<Ts>... types) {
  Result result = nothing;
  static_cast<void>(((sizeof(Ts) == itemsize && (result = f(types), true)) || ...));
  return result;
}

/// Calls `f` with the Tag of the C++ type of an element, and returns its result; returns `nothing`
/// for a type without arithmetic in C++.
template <class F, class Result>
Result with_type(const DataType& type, const F& f, Result nothing) {
  const std::size_t size = type.itemsize();
  if (!type.native()) return nothing;
  switch (type.kind()) {
    case Kind::boolean:
      return f(Tag<bool>());
    case Kind::signed_integer:
      return with_size(size, f, nothing, Tag<std::int8_t>(), Tag<std::int16_t>(),
                       Tag<std::int32_t>(), Tag<std::int64_t>());
    case Kind::unsigned_integer:
      return with_size(size, f, nothing, Tag<std::uint8_t>(), Tag<std::uint16_t>(),
                       Tag<std::uint32_t>(), Tag<std::uint64_t>());
    case Kind::floating:
      return with_size(size, f, nothing, Tag<float>(), Tag<double>(), Tag<long double>());
    case Kind::complex:
      return with_size(size, f, nothing, Tag<std::complex<float>>(), Tag<std::complex<double>>(),
                       Tag<std::complex<long double>>());
  }
  return nothing;
}

}  // namespace daptor::detail
