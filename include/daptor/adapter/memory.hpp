// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"

/// \file
/// For authors of adapters: the memory that an import is about to put a native object on.

namespace daptor::adapter {

/// Throws Stale where the producer no longer has the memory that was described: it is asked once,
/// with `begin_access` and `end_access`. The array has memory. Process-local: call it inside an
/// agreement, before the native object is made.
void require_same_memory(const DistArray& array);

/// The same, and InvalidArgument for a description without memory.
void require_memory(const DistArray& array);

}  // namespace daptor::adapter
