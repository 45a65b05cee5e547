// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "daptor/combine.hpp"
#include "daptor/datatype.hpp"
#include "exchange/region.hpp"

namespace daptor::detail {

/// Combines elements into those of an array; by default they replace them.
class Combiner {
 public:
  /// `from` is `packed` or has its runs where `into` has them.
  using Kernel = void (*)(const InnerLoop& loop, std::byte* into, const std::byte* from,
                          bool packed);

  Combiner() = default;
  /// Throws InvalidArgument where elements of the type cannot be combined in this way.
  Combiner(Combine how, const DataType& type);

  /// Consecutive bytes into a region of the array; returns their end.
  const std::byte* unpack(const Runs& runs, const std::byte* packed, std::byte* array) const;
  /// A region into the one that lies `distance` bytes further. They do not overlap.
  void within(const Runs& runs, std::byte* array, Index distance) const;

 private:
  static Kernel kernel(Combine how, const DataType& type);

  Kernel kernel_ = nullptr;  // insert
};

}  // namespace daptor::detail
