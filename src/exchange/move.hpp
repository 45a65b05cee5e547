// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "exchange/region.hpp"
#include "exchange/stores.hpp"

namespace daptor::detail {

/// Copy the elements of a region to and from consecutive bytes. `array` points to the array's first
/// element. Each function returns the end of the consecutive bytes.
/// \{
std::byte* pack(const MemoryRuns& runs, const std::byte* array, std::byte* packed);
const std::byte* unpack(const MemoryRuns& runs, const std::byte* packed, std::byte* array,
                        Stores stores = Stores::cached);
/// \}

/// Copies a region to the region that lies `distance` bytes further. The two must not overlap.
void copy_within(const MemoryRuns& runs, std::byte* array, Index distance);

}  // namespace daptor::detail
