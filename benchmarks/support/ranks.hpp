// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace bench {

struct Ranks {
  explicit Ranks(MPI_Comm comm) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
  }
  int rank = 0;
  int size = 1;
};

}  // namespace bench
