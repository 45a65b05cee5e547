// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "daptor/dimension.hpp"
#include "daptor/types.hpp"

/// \file
/// Which elements of memory, and which of the file, are written and read together. Numbers of
/// elements are 64-bit throughout.

namespace daptor::hdf5::detail {

/// A box of the array in the file.
struct FileRegion {
  std::vector<Index> start, count;
};

/// Elements of memory as HDF5 selects them from a larger array in C order that begins at the first
/// one: `count` of each dimension of `extent`, and every `step`-th of the last one.
///
/// Example: the interior 4 x 3 of a section of 6 x 5 has extent {4, 5}, count {4, 3}, step 1.
struct MemoryRegion {
  std::vector<Index> extent, count;
  Index step = 1;
};

/// The elements of a section as a region of memory. Process-local.
/// @param shape         extents of the elements
/// @param byte_strides  bytes from one index to the next, one for each extent
/// @param itemsize      bytes of an element
/// @returns `nullopt` if the memory is not in C order, or strides are no multiples of each other
std::optional<MemoryRegion> memory_region(const std::vector<Index>& shape,
                                          const std::vector<Index>& byte_strides,
                                          std::size_t itemsize);

/// How a file is written in stages: each is a range of indices of one dimension.
struct Stages {
  /// Which dimension is divided into stages, and each stage over the processes; -1 for an array
  /// without dimensions.
  int dimension = -1;
  Index size = 1;        ///< of that dimension
  Index stage_size = 1;  ///< indices of a stage
  Index count = 1;       ///< number of stages; 0 if there are no elements
  Index unit = 1;        ///< indices that go to one process together
  IndexRange stage(Index number) const;
  /// What a process has of a stage.
  IndexRange part(Index number, GridPosition process) const;
};

/// Divides an array so that a process holds at most `memory_bytes` of a stage, but at least one
/// index. Process-local; the same on all processes.
/// @param shape         of the array in the file
/// @param itemsize      bytes of an element
/// @param processes     number of processes
/// @param memory_bytes  at least 1
/// @param chunks        extents of chunks, which are not divided, however large they are; or none
Stages make_stages(const std::vector<Index>& shape, std::size_t itemsize, int processes,
                   Index memory_bytes, const std::vector<Index>& chunks = {});

}  // namespace daptor::hdf5::detail
