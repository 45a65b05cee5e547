// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "daptor/datatype.hpp"

namespace daptor::detail {

/// Elements that C++ cannot compute with as they are stored: of half precision, or with their bytes
/// in another order than this machine's.
class Coding {
 public:
  /// The longest element.
  static constexpr std::size_t longest = 32;

  /// Of a type that is stored as C++ computes with it.
  Coding() = default;
  explicit Coding(const DataType& type);

  /// The type that C++ computes with in place of another one: in this machine's order, and double
  /// in place of half precision.
  static DataType computed(const DataType& type);

  /// Whether elements are stored as C++ computes with them.
  bool none() const { return swapped_ == 0 && !half_; }
  std::size_t itemsize() const { return itemsize_; }
  std::size_t computed_size() const { return half_ ? sizeof(double) : itemsize_; }

  /// Copies an element to a value of the computed type, and back; a double is rounded to half
  /// precision as IEEE 754 has it. Neither address need be aligned.
  void decode(const std::byte* element, std::byte* value) const;
  void encode(const std::byte* value, std::byte* element) const;

 private:
  void copy_swapped(const std::byte* from, std::byte* to) const;

  std::size_t itemsize_ = 0;
  std::size_t swapped_ = 0;  ///< number of bytes of each number that are in another order; or 0
  bool half_ = false;
};

}  // namespace daptor::detail
