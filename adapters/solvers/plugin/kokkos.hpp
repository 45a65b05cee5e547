// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::solvers::plugin {

/// Starts Kokkos where nobody has, once in a process and for good: Kokkos cannot be started twice,
/// and a program may initialize PETSc again. Process-local. Throws Finalized where it ran and
/// ended.
void start_kokkos();

}  // namespace daptor::solvers::plugin
