// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/adapter/callback.hpp"

#include <dlfcn.h>

#include <utility>

#include "daptor/error.hpp"
#include "daptor/petsc/adapter/raised.hpp"

namespace daptor::petsc::detail {
namespace {

thread_local std::exception_ptr raised;

/// The exception that is being handled, if it is an error of Daptor.
std::exception_ptr current_error() noexcept {
  if (!std::current_exception()) return nullptr;
  try {
    throw;
  } catch (const Error&) {
    return std::current_exception();
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

std::exception_ptr take_raised() noexcept {
  return std::exchange(raised, nullptr);
}

Rendering rendering_of_program() noexcept {
  void* const running = dlsym(RTLD_DEFAULT, "Py_IsInitialized");
  const bool python = running != nullptr && reinterpret_cast<int (*)()>(running)() != 0;
  return {python ? Language::python : Language::cpp};
}

std::string current_text(const char* function) noexcept {
  try {
    try {
      throw;
    } catch (const Error& error) {
      return to_string(error.finding(), rendering_of_program());
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
  raised = current_error();
  return PetscError(comm, __LINE__, "daptor", __FILE__, code, PETSC_ERROR_INITIAL, "daptor: %s",
                    text.c_str());
}

}  // namespace daptor::petsc::detail
