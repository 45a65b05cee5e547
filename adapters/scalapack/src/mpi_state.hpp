// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "daptor/error.hpp"

namespace daptor::scalapack::detail {

inline bool mpi_has_ended() {
  int ended = 0;
  MPI_Finalized(&ended);
  return ended != 0;
}

/// Throws Finalized after MPI_Finalize, when nothing else of MPI may be called. Process-local.
inline void require_mpi() {
  if (mpi_has_ended()) throw Finalized("MPI");
}

}  // namespace daptor::scalapack::detail
