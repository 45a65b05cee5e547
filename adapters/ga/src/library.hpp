// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Global Arrays. Its C interface has neither the kind of a division nor block sizes of 64 bits; the
// interface below it, which it is made of, has both, and counts dimensions from the last one.

#include <cstdio>

#include <ga-mpi.h>
#include <ga.h>
#include <gacommon.h>
#include <typesf2c.h>
extern "C" {
#include <ga-papi.h>
}

namespace daptor::ga::detail {

/// The number of the group of all processes, which the calls about groups take.
inline constexpr int world_group = -1;

/// The processes of a group, as GA communicates among them.
inline MPI_Comm communicator_of_group(int group) {
  return group > 0 ? GA_MPI_Comm_pgroup(group) : GA_MPI_Comm();
}

}  // namespace daptor::ga::detail
