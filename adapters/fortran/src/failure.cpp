// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <mpi.h>

#include "daptor/adapter/library.hpp"
#include "daptor/error.hpp"
#include "daptor/fortran.hpp"
#include "note.hpp"
#include "text.hpp"

namespace daptor::fortran {
namespace {

/// The message of this thread's last failed call.
std::string& message() {
  thread_local std::string text;
  return text;
}

/// Sets `text` to the message of any exception, and returns its kind.
ErrorKind describe_failure(std::exception_ptr exception, std::string& text) {
  try {
    std::rethrow_exception(std::move(exception));
  } catch (const Error& error) {
    text = in_fortran(error.finding());
    return error.kind();
  } catch (const std::exception& error) {
    text = std::string("library.c++ error: found ") + error.what();
  } catch (...) {
    text = "library.c++ error: found an exception of unknown type";
  }
  return ErrorKind::library_failed;
}

}  // namespace

int failed(std::exception_ptr exception) noexcept {
  try {
    return static_cast<int>(describe_failure(std::move(exception), message()));
  } catch (...) {
    // There is no memory for the text.
    return static_cast<int>(ErrorKind::library_failed);
  }
}

void note(std::string text) {
  message() = std::move(text);
}

}  // namespace daptor::fortran

extern "C" {

std::int64_t daptor_fortran_message_length() {
  return static_cast<std::int64_t>(daptor::fortran::message().size());
}

const char* daptor_fortran_message() {
  return daptor::fortran::message().c_str();
}

/// Ends a job whose caller did not pass `stat`. Rank 0 prints an error that all ranks have agreed
/// on. The other ranks give it the time to do so, and print the error themselves only if rank 0
/// does not have it.
void daptor_fortran_stop() {
  using daptor::fortran::message;
  const bool running = daptor::adapter::mpi_running();
  int rank = 0;
  if (running) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) std::this_thread::sleep_for(std::chrono::seconds(2));
  std::fprintf(stderr, "daptor: %s\n", message().c_str());
  std::fflush(stderr);
  if (running) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::exit(EXIT_FAILURE);
}
}
