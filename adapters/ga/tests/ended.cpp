// SPDX-License-Identifier: BSD-3-Clause
// Before GA_Initialize, after GA_Terminate and after MPI_Finalize: errors, and nothing is touched.

#include <cstdio>
#include <optional>

#include <ga.h>
#include <macdecls.h>
#include <mpi.h>

#include "daptor/builders.hpp"
#include "daptor/ga.hpp"
#include "daptor/lease.hpp"
#include "finalized.hpp"

using namespace daptor;
using daptor::test::throws_finalized;

namespace {

int make() {
  int shape[] = {40};
  char name[] = "array";
  return NGA_Create(C_DBL, 1, shape, name, nullptr);
}

bool refused_before_start(const DistArray& own) {
  int refused = 0;
  try {
    ga::export_array(-1000);
  } catch (const InvalidArgument& error) {
    refused += error.rule() == "ga.initialized" ? 1 : 0;
  }
  try {
    ga::copy_to_array(own);
  } catch (const InvalidArgument& error) {
    refused += error.rule() == "ga.initialized" ? 1 : 0;
  }
  return refused == 2;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const Comm world = MPI_COMM_WORLD;
  const DistArray own = allocate<double>({block(40, {world.size(), world.rank()})}).on(world);
  bool right = refused_before_start(own);
  GA_Initialize();
  MA_init(C_DBL, 100000, 100000);
  const int handle = make();
  const DistArray first = ga::export_array(handle);
  std::optional<ga::Array> copy = ga::copy_to_array(own);
  GA_Terminate();
  const auto all_finalized = [&](const char* when, const DistArray& array) {
    const bool read = throws_finalized(when, [&] { const ReadLease lease(array); });
    const bool exported = throws_finalized(when, [&] { ga::export_array(handle); });
    const bool copied = throws_finalized(when, [&] { ga::copy_to_array(own); });
    const bool known = throws_finalized(when, [&] { ga::communicator(handle); });
    array.modified();
    return read && exported && copied && known;
  };
  right = all_finalized("GA_Terminate", first) && right;
  copy.reset();

  // Once more, with the same handle: what is from the first time stays finalized.
  GA_Initialize();
  const int again = make();
  const DistArray second = ga::export_array(again);
  right = again == handle && right;
  { const WriteLease lease(second); }
  right = throws_finalized("restart", [&] { const ReadLease lease(first); }) && right;
  copy = ga::copy_to_array(own);
  MPI_Finalize();
  right = all_finalized("MPI_Finalize", second) && right;
  copy.reset();
  if (!right) std::fprintf(stderr, "not as expected\n");
  return right ? 0 : 1;
}
