// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "daptor/comm.hpp"

/// \file
/// Ranks that are simulated in one process, for checks of recorded descriptions and for tests.

namespace daptor {

/// Runs collective code on ranks that are threads of this process: it runs unchanged, on any number
/// of ranks, without MPI. `body` is called once for each rank, on a thread of its own; returns when
/// all have returned. Objects that move elements (HaloExchange, Redistribution) and native objects
/// need MPI, and refuse these ranks with InvalidArgument (`comm`).
///
/// The simulation is stricter than MPI, and does not depend on the timing of the threads. A message
/// is delivered only when its receiver asks for it. Ranks that call different operations, or the
/// same operation with different counts, get LibraryFailed (`library.simulated`). So do ranks whose
/// operation can no longer happen, because a rank has returned or thrown, or because all ranks wait
/// for each other: they do not hang. Rethrows the exception of the lowest rank that threw;
/// exceptions that are only a consequence of another rank's end come last.
/// @param ranks  number of ranks, at least 1
/// @param body   gets its rank's communicator, whose operations throw LibraryFailed once the rank
///               has returned
void run_simulated(int ranks, const std::function<void(const Comm&)>& body);

}  // namespace daptor
