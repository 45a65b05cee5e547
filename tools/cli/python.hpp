#pragma once

#include <string>
#include <vector>

/// \file
/// Producers in Python. This command links no Python: it hands over to `python3 -m daptor`, which
/// has the same reports and exit status.

namespace daptor::cli {

/// True where the argument names a producer in Python, `MODULE:NAME`, and no file or library.
bool names_python(const std::string& subject);

/// Becomes `<python> -m daptor <arguments>`. The package beside this command is found, where there
/// is one. Returns only where that fails: throws InvalidArgument.
[[noreturn]] void hand_over(const std::string& python, const std::vector<std::string>& arguments);

}  // namespace daptor::cli
