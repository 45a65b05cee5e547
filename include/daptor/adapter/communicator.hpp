// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

/// \file
/// For authors of adapters: communicators that a caller and a native object bring along.

namespace daptor::adapter {

/// The two communicators have the same processes in the same order. Process-local.
inline bool same_processes(MPI_Comm a, MPI_Comm b) {
  if (a == b) return true;
  if (a == MPI_COMM_NULL || b == MPI_COMM_NULL) return false;
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(a, b, &result);
  return result == MPI_IDENT || result == MPI_CONGRUENT;
}

}  // namespace daptor::adapter
