// SPDX-License-Identifier: BSD-3-Clause
// Overflows an integer in an otherwise correct MPI program.
#include <mpi.h>

#include <limits>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  volatile int size = std::numeric_limits<int>::max();
  size = size + 1;
  MPI_Finalize();
  return 0;
}
