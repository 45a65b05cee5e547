// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exchange/array_memory.hpp"
#include "exchange/convert.hpp"
#include "exchange/region.hpp"

namespace daptor::detail {

/// Regions of another process' array, as it has them in memory.
struct RegionsThere {
  std::vector<Index> byte_strides;
  std::vector<Region> regions;

  /// What a process says of its own regions, for those that read them.
  static std::vector<std::byte> describe(const std::vector<Region>& regions,
                                         const ArrayMemory& memory);
  /// @param here  the same elements in this process
  static RegionsThere of(const std::vector<std::byte>& description,
                         const std::vector<Region>& here);
};

/// Reads the elements of one other process from its memory, and writes them to arrays of this one.
class Reading {
 public:
  /// Process-local.
  /// @param there       the elements in the other process
  /// @param regions     the same elements here
  /// @param tile_bytes  how much is read together at most, unless an element is larger
  Reading(int process, const RegionsThere& there, const std::vector<Region>& regions,
          const ArrayMemory& target, std::size_t itemsize, std::size_t tile_bytes);

  /// Whether the first and the last element can be read.
  bool readable(std::uint64_t source) const;
  /// Reads one array. `buffer` has room for `buffer_bytes(conversion)`. Returns false if the memory
  /// cannot be read; `written` then says whether some elements have been written.
  bool read(std::uint64_t source, std::byte* target, const Conversion& conversion, Stores stores,
            std::byte* buffer, bool& written);
  std::size_t buffer_bytes(const Conversion& conversion) const {
    return conversion.copies() ? strided_bytes_ : most_bytes_;
  }

 private:
  /// Elements that are read together, in the order of the other process' memory, which the runs of
  /// this process follow.
  struct Tile {
    MemoryRuns there, here;
    bool straight;  // to where they belong, if they are not converted; otherwise into the buffer
  };
  void add(const Region& there, const std::vector<Index>& there_strides, const Region& here,
           const ArrayMemory& target);
  bool read_tile(const Tile& tile, std::uint64_t source, std::byte* target);

  int process_;
  std::size_t itemsize_;
  std::size_t tile_bytes_;
  std::size_t most_bytes_ = 0, strided_bytes_ = 0;  // of a tile; of one that is not straight
  std::vector<Tile> tiles_;
};

}  // namespace daptor::detail
