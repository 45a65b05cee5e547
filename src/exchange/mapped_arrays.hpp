// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "daptor/section.hpp"
#include "exchange/shared_pages.hpp"
#include "section/mappable_memory.hpp"

namespace daptor::detail {

/// Where an array of this process is, for others.
struct ArrayThere {
  std::uint64_t address = 0;  ///< of its element at local index 0
  MappablePart part;          ///< where that address is in the process' file; empty if it is not

  static ArrayThere of(const Section& array);
  bool mappable() const { return part.bytes > 0; }
};

/// Arrays of another process that this one has mapped: those that Daptor has allocated there.
class MappedArrays {
 public:
  /// Maps each of the process' arrays, unless it is mapped already. Returns false if one cannot be
  /// mapped. Not for arrays that the process frees before it is told that nobody reads any more.
  bool map(std::int64_t process, const std::vector<ArrayThere>& arrays);
  /// The address here of the element at local index 0 of an array.
  const std::byte* data(std::size_t array) const {
    return mapped_[array].pages.data() + mapped_[array].part.at;
  }

 private:
  struct Mapped {
    MappablePart part;
    SharedPages pages;
  };
  std::vector<Mapped> mapped_;
};

}  // namespace daptor::detail
