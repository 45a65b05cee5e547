// SPDX-License-Identifier: BSD-3-Clause
// Access to one element whose type is known only at run time.

#include <algorithm>
#include <cfloat>
#include <complex>
#include <cstring>
#include <limits>
#include <sstream>

#include "conformance/elements.hpp"
#include "daptor/adapter/memory.hpp"

namespace daptor::conformance {
namespace {

/// Number of significant bytes of one real number: x87 extended precision uses 10 of its 16 bytes.
std::size_t meaningful_bytes(std::size_t real_bytes) {
  return real_bytes == sizeof(long double) && LDBL_MANT_DIG == 64 ? 10 : real_bytes;
}

/// The bytes of the element in this machine's byte order.
Bytes native_bytes(const DataType& type, const std::byte* element) {
  Bytes bytes(element, element + type.itemsize());
  const auto step = static_cast<std::ptrdiff_t>(adapter::number_size(type));
  if (!type.native())
    for (auto part = bytes.begin(); part != bytes.end(); part += step)
      std::reverse(part, part + step);
  return bytes;
}

/// Calls `use` with a value of the C++ type of one number of `type`; returns false if there is no
/// such C++ type.
template <class F>
bool with_number_type(const DataType& type, F&& use) {
  const std::size_t bytes = adapter::number_size(type);
  switch (type.kind()) {
    case Kind::boolean:
      return use(bool()), true;
    // NOLINTNEXTLINE(bugprone-branch-clone): the types differ
    case Kind::signed_integer:
      if (bytes == 1) return use(std::int8_t()), true;
      if (bytes == 2) return use(std::int16_t()), true;
      if (bytes == 4) return use(std::int32_t()), true;
      return use(std::int64_t()), true;
    case Kind::unsigned_integer:
      if (bytes == 1) return use(std::uint8_t()), true;
      if (bytes == 2) return use(std::uint16_t()), true;
      if (bytes == 4) return use(std::uint32_t()), true;
      return use(std::uint64_t()), true;
    case Kind::floating:
    case Kind::complex:
      if (bytes == sizeof(float)) return use(float()), true;
      if (bytes == sizeof(double)) return use(double()), true;
      if (bytes == sizeof(long double)) return use(0.0L), true;
  }
  return false;
}

template <class T>
void print_number(std::ostream& out, const std::byte* bytes) {
  T value{};
  std::memcpy(&value, bytes, sizeof value);
  if constexpr (std::is_floating_point_v<T>) out.precision(std::numeric_limits<T>::max_digits10);
  if constexpr (sizeof(T) == 1 && !std::is_same_v<T, bool>) {
    out << static_cast<int>(value);
  } else {
    out << std::boolalpha << value;
  }
}

std::string hexadecimal(const Bytes& bytes) {
  std::ostringstream out;
  out << "bytes" << std::hex;
  for (const std::byte byte : bytes) out << ' ' << std::to_integer<int>(byte);
  return out.str();
}

}  // namespace

bool write_label(const DataType& type, Index number, std::byte* element) {
  Bytes bytes(type.itemsize(), std::byte{0});
  const bool known = with_number_type(type, [&](auto zero) {
    using T = decltype(zero);
    T value{};
    if constexpr (std::is_same_v<T, bool>) {
      value = number % 2 != 0;
    } else {
      value = static_cast<T>(number);
    }
    std::memcpy(bytes.data(), &value, sizeof value);
  });
  bytes = native_bytes(type, bytes.data());  // the same swap converts in both directions
  std::copy(bytes.begin(), bytes.end(), element);
  return known;
}

void change_element(const DataType& type, std::byte* element) {
  Bytes bytes = native_bytes(type, element);
  bool done = false;
  with_number_type(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>) {
      T value{};
      std::memcpy(&value, bytes.data(), sizeof value);
      value = value == 0 ? T(1) : -value;
      std::memcpy(bytes.data(), &value, sizeof value);
      done = true;
    }
  });
  // For any other type: flip the least significant bit, in this machine's byte order.
  if (!done) bytes[native_byte_order() == ByteOrder::little ? 0 : bytes.size() - 1] ^= std::byte{1};
  bytes = native_bytes(type, bytes.data());
  std::copy(bytes.begin(), bytes.end(), element);
}

bool same_element(const DataType& type, const std::byte* a, const std::byte* b) {
  const std::size_t step = adapter::number_size(type);
  const bool floating = type.kind() == Kind::floating || type.kind() == Kind::complex;
  const std::size_t compared = floating && type.native() ? meaningful_bytes(step) : step;
  for (std::size_t at = 0; at < type.itemsize(); at += step)
    if (std::memcmp(a + at, b + at, compared) != 0) return false;
  return true;
}

std::string element_text(const DataType& type, const std::byte* element) {
  const Bytes bytes = native_bytes(type, element);
  std::ostringstream out;
  const bool known = with_number_type(type, [&](auto zero) {
    using T = decltype(zero);
    print_number<T>(out, bytes.data());
    if (type.kind() == Kind::complex) {
      out << " + ";
      print_number<T>(out, bytes.data() + adapter::number_size(type));
      out << " i";
    }
  });
  return known ? out.str() : hexadecimal(bytes);
}

std::string index_text(const MultiIndex& index) {
  std::string text = "(";
  for (std::size_t d = 0; d < index.size(); ++d)
    text += (d == 0 ? "" : ", ") + std::to_string(index[d]);
  return text + ")";
}

}  // namespace daptor::conformance
