// SPDX-License-Identifier: BSD-3-Clause
// One rank fails inside a collective call of Tpetra while the others wait in it: the job must end
// with a sentence, and not hang. A single rank gets the error.

#include <cstdio>
#include <stdexcept>

#include "daptor/adapter/communicator.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const daptor::Comm comm(MPI_COMM_WORLD);
    try {
      daptor::Call(comm, "abort_program").library("tpetra", "Tpetra::Map", [&] {
        if (comm.rank() == comm.size() - 1) throw std::runtime_error("planted");
        MPI_Barrier(comm->mpi());
      });
    } catch (const daptor::LibraryFailed& error) {
      std::printf("thrown: %s\n", error.what());
    }
  }
  MPI_Finalize();
  return 0;
}
