// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstddef>

#include "daptor/datatype.hpp"
#include "daptor/redistribute.hpp"
#include "exchange/region.hpp"

namespace daptor::detail {

/// NumPy's `same_kind` casting; types of other byte order, half precision and such that are not
/// computed with are only equal to themselves.
bool converts(const DataType& from, const DataType& to);

/// Writes elements of one type where those of another lie, transformed on the way.
class Conversion {
 public:
  /// None.
  Conversion() = default;
  /// Throws InvalidArgument (`redistribute.type`, `redistribute.transform`) where that cannot be.
  Conversion(const DataType& from, const DataType& to, const Transform& transform);

  /// Nothing happens to the bytes.
  bool copies() const { return kernel_ == nullptr; }
  /// Consecutive elements of the one type into a region of the other.
  void unpack(const Runs& runs, const std::byte* packed, std::byte* array) const;

  /// Returns the end of `packed`.
  using Kernel = const std::byte* (*)(const InnerLoop& into, const std::byte* packed,
                                      std::byte* array, const Transform& transform);

 private:
  Kernel kernel_ = nullptr;
  Transform transform_;
};

}  // namespace daptor::detail
