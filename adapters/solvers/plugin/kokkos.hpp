// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::solvers::plugin {

/// Starts Kokkos if it is not running. It is started at most once in a process and never ended
/// here, because Kokkos cannot be started twice, and a program may initialize PETSc again.
/// Process-local. Throws Finalized if Kokkos was running and has ended.
void start_kokkos();

}  // namespace daptor::solvers::plugin
