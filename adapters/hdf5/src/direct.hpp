// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "file_view.hpp"
#include "regions.hpp"

namespace daptor::hdf5::detail {

/// What a process moves between the file and the array's own memory.
struct Direct {
  FileRegion file;
  std::optional<MemoryRegion> memory;  ///< none: the elements must be redistributed
};
/// Process-local.
Direct direct_of(const FileView& view);

/// Number of bytes that a process may use, of the option memory_bytes.
/// @throws InvalidArgument (`argument`) for a negative number
std::int64_t memory_limit(std::int64_t option);

}  // namespace daptor::hdf5::detail
