// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "file_view.hpp"
#include "regions.hpp"

namespace daptor::hdf5::detail {

/// What a process moves between the file and the array's own memory.
struct Direct {
  FileRegion file;
  std::optional<MemoryRegion> memory;  ///< none: the elements are redistributed
};
/// \name Bytes in one piece of the file from which on many pieces are moved directly
/// Measured with two processes in the memory of the operating system, in which writers wait for
/// each other and readers do not.
/// \{
constexpr Index long_to_write = Index{1} << 15, long_to_read = Index{1} << 12;
/// \}
/// Process-local.
/// @param long_piece  one of these
Direct direct_of(const FileView& view, Index long_piece);

/// A part of what a process moves, in rows of the first dimension.
struct DirectPart {
  FileRegion file;
  MemoryRegion memory;
  Index offset;  ///< of its first element in memory, in bytes
};
/// Process-local.
/// @param parts, number  how many parts there are, and which is wanted, from 0
DirectPart part_of(const FileView& view, const Direct& direct, Index parts, Index number);

/// In how many parts a process wants to move its elements: one, unless somebody is told how far the
/// call is.
/// @param memory_bytes  the option
Index wanted_parts(const FileView& view, bool told, std::int64_t memory_bytes);

/// Number of bytes that a process may use, of the option memory_bytes.
/// @throws InvalidArgument (`argument`) for a negative number
std::int64_t memory_limit(std::int64_t option);

}  // namespace daptor::hdf5::detail
