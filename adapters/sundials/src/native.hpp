// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <sundials/sundials_nvector.h>

#include "daptor/types.hpp"

namespace daptor::sundials::detail {

/// What an N_Vector says of itself on this process.
struct Native {
  MPI_Comm comm = MPI_COMM_NULL;  ///< null for a kind that is on one process
  Index local_count = 0;
  sunrealtype* data = nullptr;  ///< null without elements
};

/// Process-local. The N_Vector's communicator.
/// @throws InvalidArgument (`sundials.nvector.null`), NotRepresentable (`sundials.nvector.kind`)
///   for one that is on one process
MPI_Comm communicator_of(N_Vector vector);

/// Process-local.
/// @throws InvalidArgument (`sundials.nvector.null`, or `sundials.nvector.memory` if it has
///   elements without memory), NotRepresentable (`sundials.nvector.kind`)
Native read(N_Vector vector);

}  // namespace daptor::sundials::detail
