// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shared by the tests in which MPI fails in the middle. Include it in one source file of a program.

#include <mpi.h>

#include <daptor/buffer.hpp>

namespace daptor::test {

/// Number of calls until one fails, counted down; negative if none fails.
struct Failing {
  int send = -1;
  int wait = -1;
};

inline Failing failing;

inline bool fails(int& countdown) {
  return countdown >= 0 && countdown-- == 0;
}

/// Counts how many times its memory is open.
struct Counting final : Producer {
  explicit Counting(int& count) : open(count) {}
  void* begin_access(Access, void* described) override {
    ++open;
    return described;
  }
  void end_access(Access) noexcept override { --open; }
  int& open;
};

}  // namespace daptor::test

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm comm, MPI_Request* request) {
  if (daptor::test::fails(daptor::test::failing.send)) return MPI_ERR_OTHER;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}
