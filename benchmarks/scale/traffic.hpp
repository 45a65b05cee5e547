// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// \file
/// What this process's libraries do by MPI. The program has the functions of MPI that communicate,
/// which count and pass on.

namespace bench {

struct MpiTraffic {
  std::int64_t collectives = 0;
  /// bytes of one rank's contribution to collective calls whose result does not grow with P
  std::int64_t collective_bytes = 0;
  /// bytes that collective calls leave on one rank, or take from it, for every other rank: results
  /// of an MPI_Allgather, inputs of an MPI_Reduce_scatter
  std::int64_t gathered_bytes = 0;
  std::int64_t messages = 0;
  std::int64_t message_bytes = 0;
};

/// What has been counted since the program began.
const MpiTraffic& mpi_traffic();

}  // namespace bench
