// SPDX-License-Identifier: BSD-3-Clause
// A user's program that uses the installed component, of which it calls nothing.
#include <mpi.h>

#include <daptor/explain.hpp>
#include <iostream>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool works = false;
  for (const daptor::Target& target : daptor::registered_targets())
    works = works || target.name == "fixed.count";
  MPI_Finalize();
  std::cout << (works ? "Fixed works.\n" : "Fixed fails.\n");
  return works ? 0 : 1;
}
