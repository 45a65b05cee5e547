// SPDX-License-Identifier: BSD-3-Clause
#include "viewing.hpp"

#include <set>
#include <sstream>

#include "daptor/adapter/note.hpp"
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

void say_once(const std::vector<std::string>& sentences) {
  static std::set<std::string> said;
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  for (const std::string& sentence : sentences)
    if (said.insert(sentence).second && rank == 0) adapter::note(sentence);
}

}  // namespace daptor::solvers::plugin
