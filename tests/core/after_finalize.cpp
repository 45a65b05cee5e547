// SPDX-License-Identifier: BSD-3-Clause
// What outlives MPI_Finalize: duplicates that are still cached, objects that are still held, those
// that never made a duplicate, calls that are made too late.

#include <mpi.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>

#include "daptor/adapter/communicator.hpp"
#include "daptor/block_dimensions.hpp"
#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "finalized.hpp"

// Counts all communicators that Daptor duplicates and frees.
namespace {
int duplicates_made = 0;
int communicators_freed = 0;
}  // namespace

extern "C" int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++duplicates_made;
  return PMPI_Comm_dup(comm, copy);
}
extern "C" int MPI_Comm_free(MPI_Comm* comm) {
  ++communicators_freed;
  return PMPI_Comm_free(comm);
}

namespace {

using daptor::Comm;

// Destroyed when the program ends.
std::optional<Comm> held_to_the_end;
std::optional<Comm> kept_to_the_end;
std::optional<Comm> never_used;
MPI_Comm never_freed = MPI_COMM_NULL;
MPI_Comm only_handed_over = MPI_COMM_NULL;
int failures = 0;
bool finalize_was_seen = false;

void expect_finalized(const char* call, const std::function<void()>& make) {
  if (!daptor::test::throws_finalized(call, make)) ++failures;
}

/// MPI deletes this attribute of MPI_COMM_SELF after Daptor's, which is set later. Nothing may be
/// cached on the caller's communicators then, which MPI need not look at: a duplicate that is
/// cached has an original.
int after_daptor(MPI_Comm, int, void*, void*) {
  for (const auto* held : {&held_to_the_end, &kept_to_the_end, &never_used})
    if ((**held)->original() != MPI_COMM_NULL) {
      std::fputs("still cached when MPI_Finalize goes on\n", stderr);
      ++failures;
    }
  finalize_was_seen = true;
  return MPI_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  bool refused = false;
  try {
    Comm early(MPI_COMM_WORLD);
  } catch (const daptor::InvalidArgument&) {
    refused = true;
  }
  if (!refused) return 2;

  MPI_Init(&argc, &argv);
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, after_daptor, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  PMPI_Comm_dup(MPI_COMM_WORLD, &never_freed);
  PMPI_Comm_dup(MPI_COMM_WORLD, &only_handed_over);
  held_to_the_end.emplace(MPI_COMM_WORLD);
  kept_to_the_end.emplace(never_freed);
  never_used.emplace(only_handed_over);
  (*held_to_the_end)->exchange({});
  (*kept_to_the_end)->exchange({});
  Comm((*held_to_the_end)->mpi())->exclusive_sum(1);  // a duplicate of the duplicate
  const Comm self(MPI_COMM_SELF);
  MPI_Finalize();
  if (!finalize_was_seen) return 3;
  if (duplicates_made != 2 || communicators_freed != 2) {
    std::fprintf(stderr, "%d communicators made and %d freed, of 2 that were used\n",
                 duplicates_made, communicators_freed);
    ++failures;
  }

  const Comm& late = *held_to_the_end;
  std::int64_t value = 0;
  expect_finalized("a communicator", [] { Comm made(MPI_COMM_WORLD); });
  expect_finalized("allreduce", [&] { late->allreduce(&value, 1, daptor::Reduction::sum); });
  expect_finalized("exclusive_sum", [&] { late->exclusive_sum(1); });
  expect_finalized("broadcast", [&] { late->broadcast(&value, sizeof(value), 0); });
  expect_finalized("sendrecv", [&] { self->sendrecv(0, &value, 8, 0, &value, 8); });
  expect_finalized("a first call", [] { (*never_used)->exclusive_sum(1); });
  expect_finalized("exchange", [&] { late->exchange({}); });
  expect_finalized("block_dimensions", [] { daptor::block_dimensions({10}, MPI_COMM_WORLD); });
  expect_finalized("block_grid", [] { daptor::block_grid(2, 6); });
  return failures == 0 ? 0 : 1;
}
