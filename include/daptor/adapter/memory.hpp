// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"

/// \file
/// For authors of adapters: checks of the memory on which an import is about to make a native
/// object.

namespace daptor::adapter {

/// Asks the producer once, with `begin_access` and `end_access`, whether it still has the memory
/// that was described. Process-local: call it inside an agreement, before the native object is
/// made.
/// @param array  this process's section, with memory
/// @throws Stale if the memory is a different one, ProducerFailed if the producer cannot open it
void require_same_memory(const DistArray& array);

/// The same for an array that may have no memory.
/// @throws InvalidArgument for a description without memory; otherwise like `require_same_memory`
void require_memory(const DistArray& array);

}  // namespace daptor::adapter
