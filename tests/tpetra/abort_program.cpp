// SPDX-License-Identifier: BSD-3-Clause
// One rank fails inside a collective call of Tpetra while the others wait in it: the job must end
// with a sentence, not hang.

#include <stdexcept>

#include "../../adapters/tpetra/src/foreign.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const daptor::MpiCommunicator comm(MPI_COMM_WORLD);
    daptor::tpetra::foreign(comm, "Tpetra::Map", [&] {
      if (comm.rank() == comm.size() - 1) throw std::runtime_error("planted");
      MPI_Barrier(comm.mpi());
    });
  }
  MPI_Finalize();
  return 0;
}
