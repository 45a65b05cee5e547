// SPDX-License-Identifier: BSD-3-Clause
// One rank fails inside a collective call of PETSc: it says so in one sentence and ends the job.

#include <cstring>
#include <stdexcept>

#include <daptor/daptor.hpp>
#include <daptor/detail/fault.hpp>
#include <daptor/petsc.hpp>

namespace {

void fail_inside(const char* point) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1 && std::strcmp(point, "VecCreateMPIWithArray") == 0)
    throw std::runtime_error("planted");
}

}  // namespace

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  {
    const auto a =
        daptor::allocate<PetscScalar>({daptor::block(4 * size, {size, rank})}).on(MPI_COMM_WORLD);
    daptor::detail::set_fault_hook(fail_inside);
    daptor::petsc::import_vec(a);
  }
  PetscFinalize();
  return 0;
}
