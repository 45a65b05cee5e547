// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>

namespace daptor {

enum class Kind { boolean, signed_integer, unsigned_integer, floating, complex };

enum class ByteOrder { little, big };

/// The byte order of this machine.
constexpr ByteOrder native_byte_order() {
  return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ByteOrder::big : ByteOrder::little;
}

/// The type of an element: kind, size in bytes, byte order (PEP 3118 format and itemsize of
/// `buffer`).
///
/// Two types are equal if an element of one can be read as an element of the other, whatever
/// letters were used for them (`l` and `q` if both have eight bytes).
class DataType {
 public:
  /// Type of a C++ scalar: bool, the integers, float, double, long double and std::complex of
  /// these.
  template <class T>
  static constexpr DataType of() {
    using U = std::remove_cv_t<T>;
    static_assert(is_element<U>, "not an element type of a distributed array");
    if constexpr (std::is_same_v<U, bool>)
      return {OfCpp{}, Kind::boolean, sizeof(U)};
    else if constexpr (std::is_integral_v<U>)
      return {OfCpp{}, std::is_signed_v<U> ? Kind::signed_integer : Kind::unsigned_integer,
              sizeof(U)};
    else if constexpr (std::is_floating_point_v<U>)
      return {OfCpp{}, Kind::floating, sizeof(U)};
    else
      return {OfCpp{}, Kind::complex, sizeof(U)};
  }

  /// Reads a PEP 3118 format of one element: an optional byte-order character `@ ^ = < > !` and one
  /// of `b B h H i I l L q Q n N e f d g Zf Zd Zg ?`.
  /// @returns `nullopt` for any other format, among them structures, strings and repeat counts
  static std::optional<DataType> from_format(std::string_view format);

  /// Reads a NumPy array-interface type string such as `<f8`, `|b1`, `>c16`.
  /// @returns `nullopt` for a string that names no such type
  static std::optional<DataType> from_typestr(std::string_view typestr);

  /// @param kind      what an element is
  /// @param itemsize  size of an element in bytes; of both parts together if it is complex
  /// @param order     order of the bytes of an element, or of each part of a complex one
  /// @throws InvalidArgument if there are no elements of this kind and size
  DataType(Kind kind, std::size_t itemsize, ByteOrder order = native_byte_order());

  Kind kind() const { return kind_; }
  std::size_t itemsize() const { return itemsize_; }
  ByteOrder byte_order() const { return order_; }
  /// True if the host can compute with the elements as they are.
  bool native() const { return itemsize_ == 1 || order_ == native_byte_order(); }

  /// PEP 3118 format, with a byte-order character only if the byte order is not this machine's.
  std::string format() const;
  /// NumPy array-interface type string.
  std::string typestr() const;
  /// Name for messages: `float64`, `complex128`, `int32 (big-endian)`.
  std::string name() const;

  friend bool operator==(const DataType& a, const DataType& b) {
    return a.kind_ == b.kind_ && a.itemsize_ == b.itemsize_ &&
           (a.order_ == b.order_ || a.itemsize_ == 1);
  }
  friend bool operator!=(const DataType& a, const DataType& b) { return !(a == b); }

 private:
  struct OfCpp {};
  constexpr DataType(OfCpp, Kind kind, std::size_t itemsize)
      : kind_(kind), itemsize_(itemsize), order_(native_byte_order()) {}

  template <class T>
  struct IsComplex : std::false_type {};
  template <class T>
  struct IsComplex<std::complex<T>> : std::is_floating_point<T> {};
  template <class T>
  static constexpr bool is_element = (std::is_integral_v<T> && sizeof(T) <= 8) ||
                                     std::is_floating_point_v<T> || IsComplex<T>::value;

  Kind kind_;
  std::size_t itemsize_;
  ByteOrder order_;
};

std::ostream& operator<<(std::ostream& out, const DataType& type);

}  // namespace daptor
