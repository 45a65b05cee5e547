// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "library.hpp"
#include "regions.hpp"

namespace daptor::hdf5::detail {

/// A box of elements with the same distance from neighbour to neighbour everywhere in the file.
struct PlacedBox {
  Index offset = 0;           ///< of the first element in the file, in bytes
  std::vector<Index> first;   ///< index of that element in the region that was asked for
  std::vector<Index> count;   ///< elements in each dimension
  std::vector<Index> stride;  ///< from neighbour to neighbour in the file, in bytes
};

/// Where the elements of a dataset lie in the file, if they lie there as they are in memory. Such
/// elements are written without HDF5, by many processes at once: none of them changes anything but
/// its own elements. Process-local.
///
/// Example: a dataset of 6 x 5 doubles in chunks of 4 x 5 has two places. The box of rows [3, 5)
/// is divided into row 3 at the end of the first, and row 4 at the start of the second.
class Places {
 public:
  /// @returns `nullopt` if elements are filtered, have no place yet, lie in another file, or if
  ///   there are too many chunks to ask HDF5 for each of their places
  static std::optional<Places> of(hid_t file, hid_t dataset);

  /// Calls `visit` for boxes that make up the region.
  void for_each_box(const FileRegion& region,
                    const std::function<void(const PlacedBox&)>& visit) const;

 private:
  Index itemsize_ = 1;
  std::vector<Index> chunk_;    ///< extents of a chunk, or of the dataset in one piece
  std::vector<Index> grid_;     ///< number of chunks in each dimension
  std::vector<Index> offsets_;  ///< of the chunks in the file, in bytes, in C order
};

/// Writes elements of memory to their places. Process-local.
/// @param file    open for writing
/// @param memory  the first element, and how the others lie there
/// @throws as `refuse_system`, with `path`
void write_to_places(int file, const std::string& path, const Places& places, const void* memory,
                     const MemoryRegion& from, const FileRegion& to, std::size_t itemsize);

}  // namespace daptor::hdf5::detail
