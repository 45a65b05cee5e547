// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "daptor/section.hpp"
#include "exchange/shared_pages.hpp"
#include "section/mappable_memory.hpp"

namespace daptor::detail {

/// Where memory of a process is, for others.
struct MemoryThere {
  std::uint64_t address = 0;
  MappablePart part;  ///< where that address is in the process' file; empty if it is not

  static MemoryThere of(const void* data, std::size_t bytes);
  /// The address of the array's element at local index 0.
  static MemoryThere of(const Section& array);
  bool mappable() const { return part.bytes > 0; }
};

/// Copies another process' memory: from where it is mapped for that, or as the system reads it.
/// Returns false if the process can do neither.
bool copy_there(std::int64_t process, const MemoryThere& from, void* to, std::size_t bytes);

/// Arrays of another process that this one has mapped: those that Daptor has allocated there.
class MappedArrays {
 public:
  explicit MappedArrays(std::size_t arrays) : mapped_(arrays) {}
  /// Maps one of the arrays, unless it is mapped already. Returns false if it cannot be mapped. The
  /// process must keep it until it is told that nobody reads any more.
  bool map(std::int64_t process, std::size_t array, const MemoryThere& there);
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
