// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace bench {

/// Seconds inside, and number of, blocking collective MPI calls since the last reset, of whatever
/// library: counted by wrapping them (the profiling interface of the MPI standard). What the
/// counting itself costs is in the seconds.
struct MpiShare {
  double seconds = 0;
  int calls = 0;
};

void reset_mpi_share();
MpiShare mpi_share();

}  // namespace bench
