// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "daptor/comm.hpp"

namespace daptor::test {

/// All processes.
inline const Comm& world() {
  static const Comm comm(MPI_COMM_WORLD);
  return comm;
}

}  // namespace daptor::test
