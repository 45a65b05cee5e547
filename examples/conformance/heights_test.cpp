// SPDX-License-Identifier: BSD-3-Clause
// Checks that the terrain conforms to the protocol: mpirun -n 4 daptor_heights_test
#include <daptor/conformance/gtest.hpp>

extern "C" int32_t heights(int32_t comm, daptor_array* out);
extern "C" void heights_daptor_close(void);

DAPTOR_CONFORMANCE_SUITE(Heights, [](MPI_Comm comm) {
  daptor::conformance::Candidate terrain;
  terrain.describe = [comm](daptor_array* out) { return heights(MPI_Comm_c2f(comm), out); };
  terrain.destroy = heights_daptor_close;
  terrain.first_export_sets_up = true;
  return terrain;
});

DAPTOR_CONFORMANCE_MAIN();
