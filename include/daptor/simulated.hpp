// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "daptor/comm.hpp"

/// \file
/// Ranks that are simulated in one process, for checks of recorded descriptions and for tests.

namespace daptor {

/// Runs collective code on ranks that take turns on the calling thread: it runs unchanged, on any
/// number of ranks, without MPI. `body` is called once for each rank, on a stack of its own; where
/// a rank waits for others, the next one runs; returns when all have returned. Objects that move
/// elements (HaloExchange, Redistribution) and native objects need MPI, and refuse these ranks with
/// InvalidArgument (`comm`).
///
/// The simulation is stricter than MPI, and always takes the same course. A message is delivered
/// only when its receiver asks for it. Ranks that call different operations, or the
/// same operation with different counts, get LibraryFailed (`library.simulated`). So do ranks whose
/// operation can no longer happen, because a rank has returned or thrown, or because all ranks wait
/// for each other: they do not hang. Rethrows the exception of the lowest rank that threw;
/// exceptions that are only a consequence of another rank's end come last.
/// @param ranks  number of ranks, at least 1. Each takes about 20 KiB of memory, and 256 KiB of
///               addresses for its stack (1 MiB if there are at most 1024). A rank that needs more
///               ends the program; of more than 16384 ranks, where stacks have no guard page
///               between them, it may damage another's first
/// @param body   gets its rank's communicator, whose operations throw LibraryFailed once the rank
///               has returned
void run_simulated(int ranks, const std::function<void(const Comm&)>& body);

namespace detail {
/// The simulated rank that is running, for hooks that are not told; -1 if there is none.
int simulated_rank() noexcept;
}  // namespace detail

}  // namespace daptor
