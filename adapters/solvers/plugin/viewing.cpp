// SPDX-License-Identifier: BSD-3-Clause
#include "viewing.hpp"

#include <sstream>

#include "daptor/petsc/adapter/call.hpp"

namespace daptor::solvers::plugin {

void write_lines(PetscViewer viewer, const std::string& text) {
  // Only the text of the first process is printed.
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of("- ") == std::string::npos) continue;
    petsc::detail::check(PetscViewerASCIIPrintf(viewer, "  %s\n", line.c_str()),
                         "PetscViewerASCIIPrintf");
  }
}

}  // namespace daptor::solvers::plugin
