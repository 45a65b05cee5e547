// SPDX-License-Identifier: BSD-3-Clause
// A program of somebody else that uses the installed component.
#include <ga.h>
#include <macdecls.h>
#include <mpi.h>

#include <daptor/ga.hpp>
#include <daptor/lease.hpp>
#include <iostream>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  GA_Initialize();
  bool works = false;
  {
    int shape[] = {20};
    char name[] = "array";
    const int handle = NGA_Create(C_DBL, 1, shape, name, nullptr);
    const daptor::DistArray array = daptor::ga::export_array(handle);
    works = daptor::ga::import_array(array) == handle;
    GA_Destroy(handle);
    try {
      const daptor::ReadLease lease(array);
      works = false;
    } catch (const daptor::Stale&) {
    }
  }
  GA_Terminate();
  MPI_Finalize();
  std::cout << (works ? "Global Arrays works.\n" : "Global Arrays fails.\n");
  return works ? 0 : 1;
}
