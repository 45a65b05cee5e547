// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <daptor/dimension.hpp>

namespace daptor::test {

inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int world_size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// The position of this process if all processes form a line.
inline GridPosition line() {
  return {world_size(), world_rank()};
}

}  // namespace daptor::test
