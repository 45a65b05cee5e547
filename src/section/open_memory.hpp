// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/section.hpp"

namespace daptor::detail {

/// Opens the memory of an array and closes it again, for leases and for objects that keep the array
/// themselves. `open_memory` throws as ReadLease and WriteLease do. A caller that has written calls
/// `modified()` on the array after `close_memory`.
void open_memory(const Section& array, Access access);
void close_memory(const Section& array, Access access) noexcept;

}  // namespace daptor::detail
