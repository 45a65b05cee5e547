// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "cli/command.hpp"

/// \file
/// What a subcommand that needs no other rank does under mpirun, which starts it several times.

namespace daptor::cli {

/// Whether a launcher of MPI runs this process. Its standard output is then a terminal even if the
/// launcher's own output is not.
bool launched();

/// This process's rank by what the launcher has put into the environment; MPI is not started.
/// `nullopt` if no launcher has started it, and for a command that somebody has typed in a terminal
/// of a rank, whose environment is that of the rank.
std::optional<int> launched_rank();

/// From here on a rank other than the first writes nothing to its standard output and error.
void silence_other_ranks();

/// Runs the work; an error becomes one sentence on standard error. Returns the exit status. Never
/// throws.
int told(const Action& work) noexcept;

/// Who does the work under a launcher.
enum class By {
  each,  ///< each rank, so that all have its exit status without MPI; the first alone writes
  first  ///< the first alone: it reads standard input or writes a file. MPI passes its status on
};

/// Runs work that needs no other rank, so that it answers once. Returns the exit status, which all
/// ranks have. Never throws.
int once(By by, const Action& work) noexcept;

}  // namespace daptor::cli
