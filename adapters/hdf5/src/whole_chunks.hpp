// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/comm.hpp"
#include "library.hpp"
#include "regions.hpp"

namespace daptor::hdf5::detail {

/// A chunk as it lies in a file, after the filters.
struct RawChunk {
  std::vector<hsize_t> start;  ///< index of its first element
  unsigned skipped = 0;        ///< a bit for each filter that was left out
  std::vector<char> bytes;
};

/// Compresses chunks on the process that has their elements; nothing is written. Process-local.
class ChunkFilters {
 public:
  /// @returns `nullopt` if the dataset has no chunks, or its chunks are not all filtered alike
  static std::optional<ChunkFilters> of(hid_t dataset);

  const std::vector<Index>& extents() const { return extents_; }
  /// @param type    of the elements in memory
  /// @param memory  the first element
  /// @param from    how the elements lie in memory
  /// @param to      a box of whole chunks, but for those at the end of the dataset
  std::vector<RawChunk> filtered(hid_t type, const void* memory, const MemoryRegion& from,
                                 const FileRegion& to) const;

 private:
  ChunkFilters(Handle&& creation, Handle&& type, std::vector<Index> extents)
      : creation_(std::move(creation)), type_(std::move(type)), extents_(std::move(extents)) {}

  Handle creation_, type_;
  std::vector<Index> extents_;
};

/// Collective. Brings the chunks of all processes to rank 0.
/// @param take  is called there with each of them; must not throw
void to_first_rank(const Comm& comm, const std::vector<RawChunk>& chunks,
                   const std::function<void(const RawChunk&)>& take);

/// Writes a chunk. Process-local.
/// @param dataset  open for writing on this process alone
void write_raw(hid_t dataset, const RawChunk& chunk);

/// Elements of memory as HDF5 selects them. Process-local.
Handle memory_space(const MemoryRegion& memory);

}  // namespace daptor::hdf5::detail
