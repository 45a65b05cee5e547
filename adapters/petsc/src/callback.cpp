// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/adapter/callback.hpp"

#include "daptor/error.hpp"

namespace daptor::petsc::detail {

std::string current_text(const char* function) noexcept {
  try {
    try {
      throw;
    } catch (const Error& error) {
      return error.what();
    } catch (const std::exception& error) {
      return std::string(function) + " threw an exception: " + error.what();
    } catch (...) {
      return std::string(function) + " threw an exception of unknown type";
    }
  } catch (...) {
    return {};
  }
}

PetscErrorCode raise(MPI_Comm comm, const std::string& text, PetscErrorCode code) noexcept {
  return PetscError(comm, __LINE__, "daptor", __FILE__, code, PETSC_ERROR_INITIAL, "daptor: %s",
                    text.c_str());
}

}  // namespace daptor::petsc::detail
