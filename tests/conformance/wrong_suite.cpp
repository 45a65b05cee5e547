// SPDX-License-Identifier: BSD-3-Clause
// A suite whose producer copies on the last rank: one of its tests must fail, and name rule and
// rank. Without a Candidate, some checks cannot be made: they are skipped and say why. A wrong
// description fails one test alone.

#include <memory>

#include "daptor/conformance/gtest.hpp"
#include "field.hpp"

using daptor::test::Fault;

DAPTOR_CONFORMANCE_SUITE(Wrong, [](MPI_Comm comm) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  return daptor::test::field_candidate(comm, rank == size - 1 ? Fault::copies : Fault::none);
});

namespace {
std::shared_ptr<daptor::test::Field> kept;
}

DAPTOR_CONFORMANCE_SUITE(Exporter, [](MPI_Comm comm, daptor_array* out) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (kept == nullptr) kept = std::make_shared<daptor::test::Field>(rank, size, Fault::none);
  daptor::test::Field::fill(kept, out);
});

DAPTOR_CONFORMANCE_SUITE(Misdescribed, [](MPI_Comm comm) {
  return daptor::test::field_candidate(comm, Fault::misses_process);
});

DAPTOR_CONFORMANCE_MAIN();
