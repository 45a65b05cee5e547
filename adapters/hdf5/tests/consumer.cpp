// SPDX-License-Identifier: BSD-3-Clause
// A user's program that uses the installed component.
#include <mpi.h>

#include <cstdio>
#include <daptor/block_dimensions.hpp>
#include <daptor/builders.hpp>
#include <daptor/hdf5.hpp>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool works = false;
  const std::string path = std::string(argv[0]) + ".h5";  // other programs of this kind run too
  {
    const auto dimensions = daptor::block_dimensions({20}, MPI_COMM_WORLD);
    std::vector<double> memory(static_cast<std::size_t>(daptor::local_count(dimensions)), 2.0);
    const std::vector<double> before = memory;
    const daptor::DistArray array = daptor::describe(memory, dimensions).on(MPI_COMM_WORLD);
    daptor::hdf5::SaveOptions options;
    options.overwrite = true;
    daptor::hdf5::save(array, path, "field", options);
    memory.assign(memory.size(), 0.0);
    daptor::hdf5::load(array, path, "field");
    works = memory == before;
    std::remove(path.c_str());
  }
  MPI_Finalize();
  std::cout << (works ? "HDF5 works.\n" : "HDF5 fails.\n");
  return works ? 0 : 1;
}
