// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace daptor::petsc::plugin::doctor {

/// A process of this machine. Numbers are used again, but not with the same time.
struct Process {
  std::int64_t number = 0;
  std::int64_t started = 0;  ///< in ticks of the machine's clock; 0: not known
};
Process this_process();

/// Whether the C library can do what `end_with` needs.
bool can_end_with() noexcept;

/// From now on this process ends with `status` if it ends with 0, by a return from `main` or by
/// `exit`; 0 takes it back. What else is done at its end is done. Process-local.
/// @param others  processes of this machine that are to end first, if MPI has been finalized:
///                launchers end the others as soon as one ends with another status than 0. A minute
///                at most.
void end_with(int status, std::vector<Process> others = {});

}  // namespace daptor::petsc::plugin::doctor
