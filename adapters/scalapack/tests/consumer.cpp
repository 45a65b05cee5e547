// SPDX-License-Identifier: BSD-3-Clause
// A program of somebody else that uses the installed component.
#include <mpi.h>

#include <daptor/builders.hpp>
#include <daptor/scalapack.hpp>
#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool works = false;
  {
    const daptor::scalapack::Grid grid(MPI_COMM_WORLD);
    const std::vector<daptor::Dimension> dimensions{
        daptor::cyclic(9, {grid.rows(), grid.row()}, 2),
        daptor::cyclic(7, {grid.columns(), grid.column()}, 2)};
    std::vector<double> memory(static_cast<std::size_t>(daptor::local_count(dimensions)));
    const auto array = daptor::describe(memory, dimensions, daptor::Order::fortran);
    const auto matrix = daptor::scalapack::import_matrix<double>(array, grid);
    works = matrix.data() == memory.data() && matrix.desc()[2] == 9;
  }
  MPI_Finalize();
  std::cout << (works ? "ScaLAPACK works.\n" : "ScaLAPACK fails.\n");
  return works ? 0 : 1;
}
