// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "cli/session.hpp"

/// \file
/// Producers in Python. This command does not link to Python: it replaces itself by `python3 -m
/// daptor`, the same command in an interpreter's process.

namespace daptor::cli {

/// Whether the argument names a producer in Python, `MODULE:NAME`, and not a file or library.
bool names_python(const std::string& subject);

/// Replaces this process by `<python> -m daptor <its words>`, unless it is an interpreter's. That
/// is the one which the options name. Without such an option, it is one of the version that the
/// package was built for: that of the active virtual environment, or else that of the build, or
/// else `python3`. A package beside this command is put on its search path. Throws InvalidArgument
/// if the interpreter cannot be started.
void hand_over(const SessionOptions& options);

}  // namespace daptor::cli
