// SPDX-License-Identifier: BSD-3-Clause
#include "reduce/wide.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace daptor::detail {
namespace {

/// A number of half precision, which C++ has no type for.
struct Half {
  std::uint16_t bits;

  explicit operator double() const {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = std::ldexp(fraction, -24);
    if (exponent == 31)
      value = fraction == 0 ? std::numeric_limits<double>::infinity()
                            : std::numeric_limits<double>::quiet_NaN();
    else if (exponent > 0)
      value = std::ldexp(1024 + fraction, exponent - 25);
    return (bits & 0x8000) != 0 ? -value : value;
  }
  explicit operator long double() const { return static_cast<double>(*this); }
};

/// Every byte other than 0 is true.
struct Flag {
  std::uint8_t byte;
  explicit operator std::uint64_t() const { return byte != 0 ? 1 : 0; }
  explicit operator std::int64_t() const { return byte != 0 ? 1 : 0; }
  explicit operator double() const { return byte != 0 ? 1 : 0; }
  explicit operator long double() const { return byte != 0 ? 1 : 0; }
};

template <class T, bool swapped>
T read_number(const std::byte* at) {
  T value;
  if constexpr (swapped) {
    constexpr std::size_t part = is_complex<T> ? sizeof(T) / 2 : sizeof(T);
    std::array<std::byte, sizeof(T)> bytes;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes[i] = at[i / part * part + part - 1 - i % part];
    std::memcpy(&value, bytes.data(), sizeof(T));
  } else {
    std::memcpy(&value, at, sizeof(T));
  }
  return value;
}

template <class From, class W, bool swapped>
void load_numbers(const std::byte* first, Index stride, const Index* offsets, Index count,
                  void* to) {
  W* const out = static_cast<W*>(to);
  if (offsets != nullptr) {
    for (Index i = 0; i < count; ++i)
      out[i] = widened<W>(read_number<From, swapped>(first + offsets[i]));
  } else if (stride == static_cast<Index>(sizeof(From))) {
    for (Index i = 0; i < count; ++i)
      out[i] = widened<W>(read_number<From, swapped>(first + i * static_cast<Index>(sizeof(From))));
  } else {
    for (Index i = 0; i < count; ++i)
      out[i] = widened<W>(read_number<From, swapped>(first + i * stride));
  }
}

template <class T>
constexpr bool is_fraction = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

template <class From, class W>
constexpr bool wide_holds() {
  if (is_complex<From>) return is_complex<W>;
  if (is_fraction<From>) return is_complex<W> || std::is_floating_point_v<W>;
  return true;
}

template <class From>
Load loop(Wide wide, bool native) {
  return with_wide(wide, [&](auto tag) -> Load {
    using W = typename decltype(tag)::type;
    if constexpr (wide_holds<From, W>()) {
      if constexpr (sizeof(From) > 1)
        if (!native) return load_numbers<From, W, true>;
      return load_numbers<From, W, false>;
    }
    return nullptr;
  });
}

}  // namespace

Wide wide_of(const DataType& type) {
  const bool is_long = type.itemsize() > (type.kind() == Kind::complex ? 16 : 8);
  switch (type.kind()) {
    case Kind::signed_integer:
      return Wide::i64;
    case Kind::floating:
      return is_long ? Wide::f80 : Wide::f64;
    case Kind::complex:
      return is_long ? Wide::c80 : Wide::c64;
    default:
      return Wide::u64;
  }
}

Wide fraction_of(Wide wide) {
  return wide == Wide::i64 || wide == Wide::u64 ? Wide::f64 : wide;
}

Load load_of(const DataType& type, Wide wide) {
  const std::size_t size = type.itemsize();
  const bool native = type.native();
  switch (type.kind()) {
    case Kind::boolean:
      return loop<Flag>(wide, native);
    case Kind::signed_integer:
      return size == 1   ? loop<std::int8_t>(wide, native)
             : size == 2 ? loop<std::int16_t>(wide, native)
             : size == 4 ? loop<std::int32_t>(wide, native)
                         : loop<std::int64_t>(wide, native);
    case Kind::unsigned_integer:
      return size == 1   ? loop<std::uint8_t>(wide, native)
             : size == 2 ? loop<std::uint16_t>(wide, native)
             : size == 4 ? loop<std::uint32_t>(wide, native)
                         : loop<std::uint64_t>(wide, native);
    case Kind::floating:
      return size == 2   ? loop<Half>(wide, native)
             : size == 4 ? loop<float>(wide, native)
             : size == 8 ? loop<double>(wide, native)
                         : loop<long double>(wide, native);
    default:
      return size == 8    ? loop<std::complex<float>>(wide, native)
             : size == 16 ? loop<std::complex<double>>(wide, native)
                          : loop<std::complex<long double>>(wide, native);
  }
}

Promotion::Promotion(const adapter::Partial& partial)
    : integer_(partial.integer_bytes),
      unsigned_(partial.unsigned_bytes),
      floating_(partial.floating_bytes),
      complex_(partial.complex_bytes) {}

void Promotion::write(adapter::Partial& partial) const {
  partial.integer_bytes = integer_;
  partial.unsigned_bytes = unsigned_;
  partial.floating_bytes = floating_;
  partial.complex_bytes = complex_;
}

Promotion& Promotion::with(const DataType& type) {
  const auto bytes = static_cast<std::uint8_t>(type.itemsize());
  switch (type.kind()) {
    case Kind::signed_integer:
      integer_ = std::max(integer_, bytes);
      break;
    case Kind::unsigned_integer:
      unsigned_ = std::max(unsigned_, bytes);
      break;
    case Kind::floating:
      floating_ = std::max(floating_, bytes);
      break;
    case Kind::complex:
      complex_ = std::max(complex_, bytes);
      break;
    case Kind::boolean:
      break;
  }
  return *this;
}

Promotion& Promotion::with(const Promotion& other) {
  integer_ = std::max(integer_, other.integer_);
  unsigned_ = std::max(unsigned_, other.unsigned_);
  floating_ = std::max(floating_, other.floating_);
  complex_ = std::max(complex_, other.complex_);
  return *this;
}

DataType Promotion::type() const {
  const int integers = std::max(integer_, unsigned_);
  if (floating_ > 0 || complex_ > 0) {
    // Fractions that hold all integers of one byte have two, and so on.
    const int least = integers == 0 ? 0 : std::min(2 * integers, 8);
    const int bytes = std::max({least, int{floating_}, complex_ / 2});
    if (complex_ == 0) return {Kind::floating, static_cast<std::size_t>(bytes)};
    return {Kind::complex, static_cast<std::size_t>(2 * std::max(bytes, 4))};
  }
  if (integers == 0) return {Kind::boolean, 1};
  if (integer_ == 0) return {Kind::unsigned_integer, unsigned_};
  if (integer_ > unsigned_) return {Kind::signed_integer, integer_};
  if (unsigned_ == 8) return {Kind::floating, 8};
  return {Kind::signed_integer, std::size_t{2} * unsigned_};
}

}  // namespace daptor::detail
