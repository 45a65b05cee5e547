// SPDX-License-Identifier: BSD-3-Clause
// A user's program that uses the installed component.
#include <mpi.h>
#include <sundials/sundials_config.h>

#include <daptor/block_dimensions.hpp>
#include <daptor/builders.hpp>
#include <daptor/sundials.hpp>
#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  SUNContext context = nullptr;
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_Create(comm, &context);
#else
  SUNContext_Create(&comm, &context);
#endif
  bool works = false;
  {
    const auto dimensions = daptor::block_dimensions({20}, comm);
    std::vector<double> memory(static_cast<std::size_t>(daptor::local_count(dimensions)), 2.0);
    const daptor::DistArray array = daptor::describe(memory, dimensions).on(comm);
    const auto vector = daptor::sundials::import_nvector(array, context);
    works = N_VL1Norm(vector.get()) == 40.0 &&
            daptor::sundials::export_nvector(vector.get()).data() == array.data();
  }
  SUNContext_Free(&context);
  MPI_Finalize();
  std::cout << (works ? "SUNDIALS works.\n" : "SUNDIALS fails.\n");
  return works ? 0 : 1;
}
