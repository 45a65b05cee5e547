// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <petscsys.h>

#include "daptor/terms.hpp"

/// \file
/// For adapters whose functions PETSc calls: exceptions become errors of PETSc.

namespace daptor::petsc::detail {

/// How messages of this process are read, by whoever sees them first: as a program in Python reads
/// them if one runs, else as one in C++.
Rendering rendering_of_program() noexcept;

/// The text of the exception that is being handled: the message of Daptor's own, rendered for the
/// program, and for any other its text with the name of the foreign function that threw it. Empty
/// if there is no memory for it.
std::string current_text(const char* function) noexcept;

/// Raises a PETSc error with `text` as its message, and returns its code. `comm` determines which
/// ranks report it: the object's communicator if all ranks fail alike, MPI_COMM_SELF if this rank
/// alone may fail.
PetscErrorCode raise(MPI_Comm comm, const std::string& text,
                     PetscErrorCode code = PETSC_ERR_LIB) noexcept;

/// Runs `body` in a callback from C: an exception becomes a PETSc error.
template <class F>
PetscErrorCode guarded(MPI_Comm comm, const char* function, F&& body) noexcept {
  try {
    body();
    return PetscErrorCode{};
  } catch (...) {
    return raise(comm, current_text(function));
  }
}

}  // namespace daptor::petsc::detail
