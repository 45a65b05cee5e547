// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "source_line.hpp"

/// \file
/// Lines of programs in Python. The plug-in does not link Python, and asks the interpreter of the
/// process, if there is one.

namespace daptor::petsc::plugin::doctor {

/// Where the binary with the interpreter is loaded; 0 if none runs in this process.
std::uintptr_t base_of_python();

/// The innermost line of Python that this thread is in, in no module of petsc4py, slepc4py, mpi4py
/// or Daptor. `nullopt` if this thread runs no Python, or does not hold the interpreter's lock.
/// No code of the program is run, and an exception that is on its way stays as it is.
std::optional<SourceLine> line_of_python();

}  // namespace daptor::petsc::plugin::doctor
