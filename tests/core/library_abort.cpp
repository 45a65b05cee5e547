// SPDX-License-Identifier: BSD-3-Clause
// A collective call of another library fails on one rank, while the others wait in it: the job ends
// when the patience of that rank has run out, and says why.

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "daptor/adapter/communicator.hpp"
#include "daptor/call.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const daptor::Comm comm(MPI_COMM_WORLD);
    daptor::Call call(comm, "make_tile");
    call.check();
    call.library("tiles", "tile_make", daptor::Patience{std::chrono::seconds(1)}, [&] {
      if (comm.rank() == 1) throw std::runtime_error("no room");
      MPI_Barrier(MPI_COMM_WORLD);
    });
  }
  std::puts("the call has returned");
  MPI_Finalize();
  return 0;
}
