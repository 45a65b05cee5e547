// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"

namespace daptor::detail {

/// Opens an array's memory and gives it back, for a lease and for those who keep the array
/// themselves. `open_memory` throws as ReadLease and WriteLease do. Whoever has written calls
/// `modified()` on the array after `close_memory`.
void open_memory(const DistArray& array, Access access);
void close_memory(const DistArray& array, Access access) noexcept;

}  // namespace daptor::detail
