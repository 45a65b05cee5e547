// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace daptor::petsc::plugin::doctor {

/// A place in the program: a line where debug information or Python's interpreter tells it,
/// otherwise a function or an address. All of it is empty where nothing is known.
struct SourceLine {
  std::string file;      ///< an absolute path, where the compiler or Python knew it
  int line = 0;          ///< from 1; 0 without a file
  std::string function;  ///< as it is written in the program; `<module>` outside of any in Python
  std::string binary;    ///< the program or library; empty in Python
  std::uintptr_t offset =
      0;  ///< behind the function's begin, or the binary's, where no line is known

  bool known() const { return !file.empty() || !binary.empty(); }
};

/// The line of the program from which this thread has called PETSc, SLEPc or Daptor: the innermost
/// frame that is in none of them, nor in MPI, petsc4py or the runtime libraries of the languages.
/// A frame of which a line is known goes before one of which a function alone is known. The
/// first time that a call is seen takes milliseconds, and seconds with a large program's debug
/// information; later ones microseconds. Process-local. Nothing of the program is run.
SourceLine line_of_program();

/// `at step.c:214 in advance_velocity`, or without a line `in advance_velocity+0x1c of flow`; empty
/// if nothing is known.
std::string text_of(const SourceLine& place);

/// What stays when lines are added above it, or the program is compiled anew:
/// `step.c:advance_velocity`, or without a line `flow:advance_velocity`; empty if nothing is known.
std::string site_of(const SourceLine& place);

}  // namespace daptor::petsc::plugin::doctor
