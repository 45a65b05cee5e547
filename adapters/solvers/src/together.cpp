// SPDX-License-Identifier: BSD-3-Clause
#include "together.hpp"

#include <chrono>
#include <cstdio>
#include <thread>

namespace daptor::solvers {
namespace {

constexpr std::chrono::seconds patience{30};

bool all_arrive(MPI_Request& request) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  int done = 0;
  while (done == 0 && std::chrono::steady_clock::now() < deadline) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return done != 0;
}

}  // namespace

void settle(const MpiCommunicator& comm, const char* function, std::exception_ptr failure) {
  if (failure && comm.size() > 1) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm.mpi(), &request);
    if (!all_arrive(request)) {
      std::fprintf(stderr,
                   "daptor: rank %d: %s failed here and not on all ranks, which cannot be undone; "
                   "aborting\n",
                   comm.rank(), function);
      std::fflush(stderr);
      MPI_Abort(comm.mpi(), 1);
    }
  } else if (comm.size() > 1) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm.mpi(), &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  agree(comm, failure);
}

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

}  // namespace daptor::solvers
