// SPDX-License-Identifier: BSD-3-Clause
// Grids and matrices that outlive MPI_Finalize are left alone, and calls say so.

#include <optional>
#include <vector>

#include <mpi.h>

#include "daptor/builders.hpp"
#include "daptor/scalapack.hpp"
#include "finalized.hpp"

using namespace daptor;
using daptor::test::throws_finalized;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const Comm world = MPI_COMM_WORLD;
  std::optional<scalapack::Grid> grid(std::in_place, world);
  std::optional<scalapack::Grid> part(std::in_place, world, 1, 1);
  std::vector<double> memory(100);
  const DistArray array = describe(memory.data(),
                                   {cyclic(9, {grid->rows(), grid->row()}, 2),
                                    cyclic(7, {grid->columns(), grid->column()}, 2)},
                                   {Index{8}, Index{80}})
                              .on(world);
  std::optional<scalapack::Matrix<double>> matrix = scalapack::import_matrix<double>(array, *grid);
  MPI_Finalize();
  bool right = throws_finalized("Grid", [&] { scalapack::Grid(world, 1, 1); });
  right =
      throws_finalized("import", [&] { scalapack::import_matrix<double>(array, *grid); }) && right;
  right = throws_finalized("export",
                           [&] { scalapack::export_matrix(matrix->desc(), memory, world); }) &&
          right;
  right =
      throws_finalized("copy", [&] { scalapack::copy_to_matrix<double>(array, *grid); }) && right;
  right = matrix->data() == memory.data() && right;
  matrix.reset();
  grid.reset();
  part.reset();
  return right ? 0 : 1;
}
