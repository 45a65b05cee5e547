// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <petscsys.h>

namespace daptor::solvers {

/// The text of the exception that is being handled: Daptor's own as it is, any other with the name
/// of the foreign function that threw it. Empty where there is no memory for it.
std::string current_text(const char* function) noexcept;

/// Raises a PETSc error with our sentence in it, and returns its code. `comm` says who reports it:
/// that of the object where all ranks fail alike, MPI_COMM_SELF where this rank alone may.
PetscErrorCode raise(MPI_Comm comm, const std::string& text,
                     PetscErrorCode code = PETSC_ERR_LIB) noexcept;

/// Runs `body` where C calls us: what it throws becomes a PETSc error.
template <class F>
PetscErrorCode guarded(MPI_Comm comm, const char* function, F&& body) noexcept {
  try {
    body();
    return PetscErrorCode{};
  } catch (...) {
    return raise(comm, current_text(function));
  }
}

}  // namespace daptor::solvers
