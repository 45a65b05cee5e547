// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/coding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "daptor/adapter/memory.hpp"

namespace daptor::detail {
namespace {

constexpr int fraction_bits = 10;
constexpr int bias = 15;
constexpr std::uint16_t infinite = 0x7c00;

double from_half(std::uint16_t bits) {
  const int exponent = (bits & infinite) >> fraction_bits;
  const int fraction = bits & 0x3ff;
  double size = 0;
  if (exponent == 31)
    size = fraction == 0 ? std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    size = std::ldexp(fraction, 1 - bias - fraction_bits);
  else
    size = std::ldexp(fraction + 0x400, exponent - bias - fraction_bits);
  return (bits & 0x8000) != 0 ? -size : size;
}

/// The bits without the sign. A fraction that is rounded up to the next power of two carries into
/// the exponent.
int bits_of_size(double size) {
  constexpr double smallest_normal = 0x1p-14, rounded_to_infinity = 65520;
  if (std::isnan(size)) return infinite + 0x200;
  if (size >= rounded_to_infinity) return infinite;
  if (size < smallest_normal)
    return static_cast<int>(std::nearbyint(std::ldexp(size, bias - 1 + fraction_bits)));
  int exponent = 0;
  const double fraction = std::frexp(size, &exponent);  // in [0.5, 1)
  const int rounded = static_cast<int>(std::nearbyint(std::ldexp(fraction, fraction_bits + 1)));
  return ((exponent - 1 + bias) << fraction_bits) + rounded - 0x400;
}

std::uint16_t to_half(double value) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  return static_cast<std::uint16_t>(sign + bits_of_size(std::abs(value)));
}

bool is_half(const DataType& type) {
  return type.kind() == Kind::floating && type.itemsize() == sizeof(std::uint16_t);
}

}  // namespace

Coding::Coding(const DataType& type)
    : itemsize_(type.itemsize()),
      swapped_(type.native() ? 0 : adapter::number_size(type)),
      half_(is_half(type)) {}

DataType Coding::computed(const DataType& type) {
  return is_half(type) ? DataType::of<double>() : DataType(type.kind(), type.itemsize());
}

void Coding::copy_swapped(const std::byte* from, std::byte* to) const {
  std::memcpy(to, from, itemsize_);
  if (swapped_ == 0) return;
  for (std::size_t at = 0; at < itemsize_; at += swapped_)
    std::reverse(to + at, to + at + swapped_);
}

void Coding::decode(const std::byte* element, std::byte* value) const {
  if (!half_) return copy_swapped(element, value);
  std::array<std::byte, sizeof(std::uint16_t)> native;
  copy_swapped(element, native.data());
  std::uint16_t bits = 0;
  std::memcpy(&bits, native.data(), sizeof bits);
  const double number = from_half(bits);
  std::memcpy(value, &number, sizeof number);
}

void Coding::encode(const std::byte* value, std::byte* element) const {
  if (!half_) return copy_swapped(value, element);
  double number = 0;
  std::memcpy(&number, value, sizeof number);
  const std::uint16_t bits = to_half(number);
  std::array<std::byte, sizeof bits> native;
  std::memcpy(native.data(), &bits, sizeof bits);
  copy_swapped(native.data(), element);
}

}  // namespace daptor::detail
