// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <iostream>
#include <string>
#include <utility>

#include "daptor/communicator.hpp"
#include "daptor/error.hpp"

namespace daptor::tpetra {

/// Runs what calls Tpetra on this process alone; what it throws becomes LibraryFailed.
template <class F>
auto translated(const char* function, F&& call) {
  try {
    return std::forward<F>(call)();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw LibraryFailed("tpetra", function, error.what());
  }
}

[[noreturn]] inline void abort_all(const MpiCommunicator& comm, const char* function,
                                   const std::string& text) {
  // One write, which the launcher's own words do not cut in two.
  std::cerr << "daptor: rank " + std::to_string(comm.rank()) + ": " + function +
                   " failed inside a collective call: " + text + '\n';
  MPI_Abort(comm.mpi(), 1);
  std::terminate();
}

/// Runs a collective call of Tpetra. What fails in it on one rank cannot be undone on the others,
/// which may be waiting: it is said in one sentence, and the communicator is aborted.
template <class F>
auto foreign(const MpiCommunicator& comm, const char* function, F&& call) {
  try {
    return std::forward<F>(call)();
  } catch (const std::exception& error) {
    abort_all(comm, function, error.what());
  } catch (...) {
    abort_all(comm, function, "an exception of unknown type");
  }
}

}  // namespace daptor::tpetra
