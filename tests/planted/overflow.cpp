// SPDX-License-Identifier: BSD-3-Clause
// Reads one element behind a buffer in an otherwise correct MPI program.
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::vector<double> section(16, 1.0);
  const volatile double* data = section.data();
  const volatile double behind = data[section.size()];
  static_cast<void>(behind);
  MPI_Finalize();
  return 0;
}
