// SPDX-License-Identifier: BSD-3-Clause
// A user's program that uses the installed component.
#include <mpi.h>
#include <toy.h>

#include <daptor/block_dimensions.hpp>
#include <daptor/builders.hpp>
#include <daptor/toy.hpp>
#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  toy_start();
  bool works = false;
  {
    const auto dimensions = daptor::block_dimensions({20}, MPI_COMM_WORLD);
    std::vector<double> memory(static_cast<std::size_t>(daptor::local_count(dimensions)));
    const daptor::DistArray array = daptor::describe(memory.data(), dimensions).on(MPI_COMM_WORLD);
    const daptor::toy::List list = daptor::toy::import_list(array);
    works = toy_list_values(list.get()) == memory.data();
  }
  toy_stop();
  MPI_Finalize();
  std::cout << (works ? "Toy works.\n" : "Toy fails.\n");
  return works ? 0 : 1;
}
