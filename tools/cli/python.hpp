// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "cli/session.hpp"

/// \file
/// Producers in Python. This command links no Python: it hands over to `python3 -m daptor`, which
/// has the same reports and exit status.

namespace daptor::cli {

/// True where the argument names a producer in Python, `MODULE:NAME`, and no file or library.
bool names_python(const std::string& subject);

/// Becomes `<python> -m daptor <arguments> --time-limit ...`, with the Python that the options name
/// or else the one that the package was built for: that of the virtual environment where it is of
/// that version, the one of the build, `python3` where that is not here. The package beside this
/// command is found, where there is one. Returns only where that fails: throws InvalidArgument.
[[noreturn]] void hand_over(const SessionOptions& options, std::vector<std::string> arguments);

}  // namespace daptor::cli
