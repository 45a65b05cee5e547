// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace daptor::petsc::plugin::doctor {

/// Where the program is: the innermost of its functions that has called PETSc.
struct ProgramPlace {
  std::string line;          ///< of Python: `solve.py:88 in assemble`; empty for other languages
  std::string module;        ///< the file of the executable or library; empty if it is not known
  std::uint64_t offset = 0;  ///< in it, as addr2line takes it
  std::string symbol;        ///< empty if the module does not export it
};

/// Process-local. Runs no code of the program.
ProgramPlace program_place();

}  // namespace daptor::petsc::plugin::doctor
