// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace bench {

/// Number of blocking collective MPI calls since the last reset, by any library, and the seconds
/// spent in them. The calls are wrapped by the profiling interface of the MPI standard; the seconds
/// include the cost of the counting.
struct MpiShare {
  double seconds = 0;
  int calls = 0;
};

void reset_mpi_share();
MpiShare mpi_share();

}  // namespace bench
