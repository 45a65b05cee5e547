// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/library.hpp"

#include "daptor/adapter/communicator.hpp"
#include "daptor/detail/abort.hpp"
#include "daptor/error.hpp"

namespace daptor::adapter {

std::exception_ptr current_failure(const char* library, const char* function) {
  try {
    throw;
  } catch (const Error&) {
    return std::current_exception();
  } catch (const std::exception& error) {
    return std::make_exception_ptr(LibraryFailed(library, function, error.what()));
  } catch (...) {
    return std::make_exception_ptr(
        LibraryFailed(library, function, "an exception of unknown type"));
  }
}

void abort_in(const Comm& comm, const char* function) noexcept {
  try {
    throw;
  } catch (const std::exception& error) {
    detail::abort_communicator(comm->mpi(), function, error.what());
  } catch (...) {
    detail::abort_communicator(comm->mpi(), function, "an exception of unknown type");
  }
}

void check_mpi(int code, const char* function) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw LibraryFailed(
      "mpi", function,
      "error " + std::to_string(code) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

bool mpi_running() noexcept {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0;
}

void require_mpi_running() {
  if (mpi_running()) return;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) throw Finalized("MPI");
  throw InvalidArgument("comm", "MPI not initialized", "a call after MPI_Init");
}

}  // namespace daptor::adapter
