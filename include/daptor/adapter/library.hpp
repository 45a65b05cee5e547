// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <utility>

#include "daptor/comm.hpp"

/// \file
/// For authors of adapters: calls of another library, which throws or fails in its own way.

namespace daptor::adapter {

/// The exception that is being handled: Daptor's own as it is, any other as LibraryFailed, whose
/// rule id is `library` and the library's name, with the name of the function. Call it in a catch
/// block.
std::exception_ptr current_failure(const char* library, const char* function);

/// Runs what calls `library` on this process alone; what it throws becomes LibraryFailed.
template <class F>
auto translated(const char* library, const char* function, F&& call) -> decltype(call()) {
  try {
    return std::forward<F>(call)();
  } catch (...) {
    std::rethrow_exception(current_failure(library, function));
  }
}

/// Throws LibraryFailed (`library.mpi`) where `code`, which `function` of MPI returned, is an error.
/// Process-local.
void check_mpi(int code, const char* function);

/// Ends the job with one sentence about the exception that is being handled: it was thrown inside a
/// collective call of another library, in which the other ranks may be waiting. Call it in a catch
/// block.
[[noreturn]] void abort_in(const Comm& comm, const char* function) noexcept;

/// Runs a collective call of `library` on all ranks of `comm`, after everything that it asks for
/// has been agreed on. What fails in it on one rank cannot be undone on the others: the job is
/// ended with one sentence. On a communicator of one process nobody waits, and what fails is thrown
/// as by `translated`.
template <class F>
auto collectively(const Comm& comm, const char* library, const char* function, F&& call)
    -> decltype(call()) {
  try {
    return std::forward<F>(call)();
  } catch (...) {
    if (comm.size() > 1) abort_in(comm, function);
    std::rethrow_exception(current_failure(library, function));
  }
}

}  // namespace daptor::adapter
