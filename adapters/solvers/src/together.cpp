// SPDX-License-Identifier: BSD-3-Clause
#include "together.hpp"

#include <chrono>
#include <exception>
#include <string>
#include <thread>

#include "daptor/adapter/communicator.hpp"
#include "daptor/detail/abort.hpp"

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

/// Says why the call failed here, and that it did not fail everywhere.
std::string reason(const std::exception_ptr& failure) {
  std::string what = "an exception of unknown type";
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {
  }
  return what + "\nIt did not fail on all ranks within half a minute.";
}

}  // namespace

void settle(Call& call, const char* function, const std::exception_ptr& failure) {
  const Comm& comm = call.comm();
  if (failure && comm.size() > 1) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm->mpi(), &request);
    if (!all_arrive(request))
      daptor::detail::abort_communicator(comm->mpi(), function, reason(failure).c_str());
  } else if (comm.size() > 1) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm->mpi(), &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  call.check([&] {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace daptor::solvers
