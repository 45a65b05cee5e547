// SPDX-License-Identifier: BSD-3-Clause
// The suite in another project; none of its tests may be skipped.

#include <cstdio>

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

int main(int argc, char** argv) {
  const int status = daptor::conformance::run_all_tests(argc, argv);
  const auto* unit = ::testing::UnitTest::GetInstance();
  const int checks = static_cast<int>(daptor::conformance::checks().size());
  if (status == 0 && unit->successful_test_count() == checks && unit->skipped_test_count() == 0)
    std::puts("The conformance kit works.");
  return status;
}
