// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstddef>

#include "daptor/datatype.hpp"
#include "daptor/redistribute.hpp"
#include "exchange/coding.hpp"
#include "exchange/region.hpp"
#include "exchange/stores.hpp"

namespace daptor::detail {

/// Whether `from` converts to `to` under NumPy's `same_kind` casting. Other types than those of
/// C++, half precision and those in another byte order convert only to themselves.
bool converts(const DataType& from, const DataType& to);

/// Converts elements of one type to another and writes them to an array, optionally transformed.
class Conversion {
 public:
  /// A conversion that copies bytes.
  Conversion() = default;
  /// Throws InvalidArgument (`redistribute.type`, `redistribute.transform`) if there is no such
  /// conversion.
  Conversion(const DataType& from, const DataType& to, const Transform& transform);

  /// True if elements are copied unchanged.
  bool copies() const { return kernel_ == nullptr; }
  /// Whether the target's previous values are read, so that elements must not be written twice.
  bool keeps() const { return transform_.keep != 0.0; }
  /// Converts consecutive packed elements into a region of the array. `stores` is a wish.
  void unpack(const MemoryRuns& runs, const std::byte* packed, std::byte* array,
              Stores stores) const;

  /// Returns the end of the bytes that were read from `packed`.
  using Kernel = const std::byte* (*)(const InnerLoop& into, const std::byte* packed,
                                      std::byte* array, const Transform& transform);

 private:
  const std::byte* unpack_coded(const InnerLoop& into, const std::byte* packed,
                                std::byte* array) const;

  Kernel kernel_ = nullptr;
  Transform transform_;
  /// If one of them is of another type than C++ has, elements are converted one by one.
  Coding from_, to_;
};

}  // namespace daptor::detail
