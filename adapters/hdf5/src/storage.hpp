// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "daptor/hdf5/save.hpp"
#include "library.hpp"

/// \file
/// How the elements of a dataset lie in the file: in one piece, or in chunks.

namespace daptor::hdf5::detail {

struct Storage {
  std::vector<Index> chunks;  ///< extents of a chunk; empty: all elements in one piece
  int deflate = 0;            ///< level of compression
  bool series = false;        ///< the first dimension can grow
};

/// @param shape     of the dataset
/// @param itemsize  bytes of an element
/// @throws InvalidArgument: `hdf5.chunks`; `argument` for a level that there is not
Storage storage_of(const std::vector<Index>& shape, std::size_t itemsize,
                   const SaveOptions& options);

/// Storage of a series of steps with room for this many of them, or fewer if a chunk would be too
/// large for HDF5. A chunk has all steps of a part of the array, so that a step whose chunk is
/// there changes nothing in the file but its elements and two numbers.
/// @param step      shape of a step
/// @param itemsize  bytes of an element
/// @param steps     at least 1
Storage storage_of_series(const std::vector<Index>& step, std::size_t itemsize, Index steps);
/// The same compressed: a chunk has one step alone.
Storage storage_of_series(const std::vector<Index>& step, std::size_t itemsize, int deflate);

/// Properties to create such a dataset. Process-local.
Handle creation_of(const Storage& storage);
/// The dataspace of such a dataset. Process-local.
Handle space_of(const std::vector<Index>& shape, const Storage& storage);

}  // namespace daptor::hdf5::detail
