// SPDX-License-Identifier: BSD-3-Clause
// One rank lacks the memory for what it receives, in the middle of an exchange: the job ends, and
// says why.

#include <mpi.h>

#include <new>

#include "daptor/adapter/communicator.hpp"
#include "daptor/detail/fault.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const daptor::Comm comm(MPI_COMM_WORLD);
  comm->exchange({});  // makes Daptor's duplicate of the communicator
  if (comm.rank() == 0) daptor::detail::set_fault_hook([](const char*) { throw std::bad_alloc(); });
  comm->exchange({{0, std::vector<std::byte>(100)}});
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
