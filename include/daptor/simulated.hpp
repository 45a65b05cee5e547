// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "daptor/comm.hpp"

/// \file
/// Ranks that live in one process, for checks of recorded descriptions and for tests.

namespace daptor {

/// Ranks that live as threads of this process: collective code runs unchanged on any number of
/// ranks without MPI. `body` is called once for each rank, on a thread of its own; returns when all
/// have. What moves elements (HaloExchange, Redistribution) and what makes native objects needs
/// MPI, and refuses these ranks with InvalidArgument (`comm`).
///
/// Stricter than MPI, and the same whatever the threads' timing: a message is handed over only when
/// its receiver asks for it, and ranks that call different operations, or the same with different
/// counts, get LibraryFailed (`library.simulated`). An operation that can no longer happen, because
/// a rank has returned, has thrown, or all wait for each other, throws it too instead of hanging.
/// Rethrows the exception of the lowest rank that let one out; those that only follow from another
/// rank's end come last.
/// @param ranks how many, at least 1
/// @param body gets its rank's communicator, whose operations throw LibraryFailed once the rank has
///   returned
void run_simulated(int ranks, const std::function<void(const Comm&)>& body);

}  // namespace daptor
