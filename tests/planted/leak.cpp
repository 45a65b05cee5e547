// SPDX-License-Identifier: BSD-3-Clause
// Leaks a buffer in an otherwise correct MPI program.
#include <mpi.h>

#include <cstdlib>

namespace {

// Its value is visible from outside, so that the optimizer keeps the allocation.
void* volatile last_buffer = nullptr;

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  last_buffer = std::malloc(4321);
  last_buffer = nullptr;
  MPI_Finalize();
  return 0;
}
