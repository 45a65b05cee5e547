// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <utility>

#include "daptor/comm.hpp"

/// \file
/// For authors of adapters: calls of another library, which throws or fails in its own way. Its
/// collective calls are made by `Call::library`.

namespace daptor::adapter {

/// The exception that is being handled: unchanged if it is Daptor's own, otherwise as
/// LibraryFailed. Call this in a catch block.
/// @param library   name for the rule id: `petsc` gives `library.petsc`
/// @param function  the called function of that library
std::exception_ptr current_failure(const char* library, const char* function);

/// Runs a call of another library on this process alone.
/// @param library, function  see `current_failure`
/// @param call               the call to run
/// @returns the result of `call`
/// @throws LibraryFailed if the call throws an exception that is not Daptor's
template <class F>
auto translated(const char* library, const char* function, F&& call) -> decltype(call()) {
  try {
    return std::forward<F>(call)();
  } catch (...) {
    std::rethrow_exception(current_failure(library, function));
  }
}

/// Throws LibraryFailed (`library.mpi`) if `code`, which `function` of MPI returned, is an error.
/// Process-local.
void check_mpi(int code, const char* function);

/// Whether MPI can be called now: after MPI_Init and before the end of MPI_Finalize. Process-local.
bool mpi_running() noexcept;

/// Throws if MPI cannot be called now. Process-local.
/// @throws Finalized        after MPI_Finalize
/// @throws InvalidArgument  before MPI_Init
void require_mpi_running();

/// Ends the job with one sentence about the exception that is being handled, which was thrown
/// inside a collective call of another library, in which the other ranks may be waiting. Call this
/// in a catch block.
/// @param comm      the communicator to abort
/// @param function  the collective call, as the sentence names it
[[noreturn]] void abort_in(const Comm& comm, const char* function) noexcept;

}  // namespace daptor::adapter
