// SPDX-License-Identifier: BSD-3-Clause
// A program of somebody else that uses the installed component, and calls ScaLAPACK itself.
#include <mpi.h>

#include <daptor/builders.hpp>
#include <daptor/scalapack.hpp>
#include <iostream>
#include <vector>

// ScaLAPACK comes without headers.
extern "C" void pdgetrf_(const int* rows, const int* columns, double* a, const int* row,
                         const int* column, const int* desc, int* pivots, int* info);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool works = false;
  {
    const daptor::scalapack::Grid grid(MPI_COMM_WORLD);
    const std::vector<daptor::Dimension> dimensions{
        daptor::cyclic(9, {grid.rows(), grid.row()}, 2),
        daptor::cyclic(9, {grid.columns(), grid.column()}, 2)};
    std::vector<double> memory(static_cast<std::size_t>(daptor::local_count(dimensions)));
    const auto array =
        daptor::describe(memory, dimensions, daptor::Order::fortran).on(MPI_COMM_WORLD);
    const auto matrix = daptor::scalapack::import_matrix<double>(array, grid);
    const int n = 9, one = 1;
    std::vector<int> pivots(static_cast<std::size_t>(matrix.local_rows() + matrix.row_block()));
    int info = 0;
    pdgetrf_(&n, &n, matrix.data(), &one, &one, matrix.desc(), pivots.data(), &info);
    try {
      daptor::scalapack::check_info("pdgetrf", info, MPI_COMM_WORLD);
    } catch (const daptor::LibraryFailed&) {
      works = info == 1 && matrix.data() == memory.data();  // a matrix of zeros
    }
  }
  MPI_Finalize();
  std::cout << (works ? "ScaLAPACK works.\n" : "ScaLAPACK fails.\n");
  return works ? 0 : 1;
}
