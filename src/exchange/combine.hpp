// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "daptor/combine.hpp"
#include "daptor/datatype.hpp"
#include "exchange/region.hpp"

namespace daptor::detail {

/// Combines received elements with those of an array; by default they replace them.
class Combiner {
 public:
  /// `from` points to packed elements, or to runs at the same offsets as those of `into`.
  using Kernel = void (*)(const InnerLoop& loop, std::byte* into, const std::byte* from,
                          bool packed);

  Combiner() = default;
  /// Throws InvalidArgument if elements of this type cannot be combined in this way.
  Combiner(Combine how, const DataType& type);

  /// Combines consecutive packed elements into a region of the array; returns the end of the packed
  /// bytes.
  const std::byte* unpack(const MemoryRuns& runs, const std::byte* packed, std::byte* array) const;
  /// Combines a region into the region that lies `distance` bytes further. The two must not
  /// overlap.
  void within(const MemoryRuns& runs, std::byte* array, Index distance) const;

 private:
  static Kernel kernel(Combine how, const DataType& type);

  Kernel kernel_ = nullptr;  // null if elements are replaced
};

}  // namespace daptor::detail
