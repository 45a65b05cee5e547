// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include "daptor/adapter/reduce.hpp"
#include "exchange/element_types.hpp"

namespace daptor::detail {

/// The types in which reductions compute. Elements of any type have one that holds them exactly.
enum class Wide : std::uint8_t { i64, u64, f64, f80, c64, c80 };

/// Calls `f` with the Tag of the C++ type.
template <class F>
auto with_wide(Wide wide, const F& f) {
  switch (wide) {
    case Wide::i64:
      return f(Tag<std::int64_t>());
    case Wide::u64:
      return f(Tag<std::uint64_t>());
    case Wide::f64:
      return f(Tag<double>());
    case Wide::f80:
      return f(Tag<long double>());
    case Wide::c64:
      return f(Tag<std::complex<double>>());
    default:
      return f(Tag<std::complex<long double>>());
  }
}

template <class W>
constexpr Wide wide_tag() {
  if constexpr (std::is_same_v<W, std::int64_t>) return Wide::i64;
  if constexpr (std::is_same_v<W, std::uint64_t>) return Wide::u64;
  if constexpr (std::is_same_v<W, double>) return Wide::f64;
  if constexpr (std::is_same_v<W, long double>) return Wide::f80;
  if constexpr (std::is_same_v<W, std::complex<double>>) return Wide::c64;
  return Wide::c80;
}

inline DataType type_of_wide(Wide wide) {
  return with_wide(wide, [](auto tag) { return DataType::of<typename decltype(tag)::type>(); });
}
/// The wide type of elements of this type.
Wide wide_of(const DataType& type);
/// The same for reductions that compute with fractions.
Wide fraction_of(Wide wide);

/// A value of a type that `To` holds, or that is rounded to it.
template <class To, class From>
To widened(const From& value) {
  if constexpr (is_complex<To> && is_complex<From>) {
    using R = typename Real<To>::type;
    return To(static_cast<R>(value.real()), static_cast<R>(value.imag()));
  } else if constexpr (is_complex<To>) {
    return To(static_cast<typename Real<To>::type>(value));
  } else if constexpr (is_complex<From>) {
    return static_cast<To>(value.real());  // never asked for: complex numbers stay complex
  } else {
    return static_cast<To>(value);
  }
}

/// Reads elements: `count` of them from `first` on, `stride` bytes apart or, if `offsets` is not
/// null, at these offsets from `first`.
using Load = void (*)(const std::byte* first, Index stride, const Index* offsets, Index count,
                      void* to);
/// The loop that reads elements of `type` as numbers of the wide type, which holds them.
Load load_of(const DataType& type, Wide wide);

/// What element types, of which operands may have several, have in common, by NumPy's promotion.
class Promotion {
 public:
  Promotion() = default;
  explicit Promotion(const adapter::Partial& partial);
  Promotion& with(const DataType& type);
  Promotion& with(const Promotion& other);
  void write(adapter::Partial& partial) const;
  DataType type() const;

 private:
  std::uint8_t integer_ = 0, unsigned_ = 0, floating_ = 0, complex_ = 0;  ///< bytes of the widest
};

}  // namespace daptor::detail
