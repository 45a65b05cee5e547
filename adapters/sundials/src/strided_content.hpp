// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <mpi.h>

#include <sundials/sundials_nvector.h>

#include "daptor/dist_array.hpp"
#include "runs.hpp"

namespace daptor::sundials::detail {

/// What all N_Vectors of one layout share.
struct StridedForm {
  Runs runs;
  MPI_Comm comm;
  sunindextype local_count, global_count;
  bool one_run;  ///< owned elements are contiguous on all ranks, so that a pointer says all
};

/// The content of an N_Vector of Daptor's own kind, which keeps the array's memory alive.
struct StridedContent {
  std::shared_ptr<const StridedForm> form;
  DistArray array;
  sunrealtype* values;  ///< the first owned element; null without memory
};

/// Whether the N_Vector, which is not null, is of Daptor's own kind. Process-local.
bool is_strided(N_Vector vector);
inline StridedContent& strided(N_Vector vector) {
  return *static_cast<StridedContent*>(vector->content);
}

/// A new N_Vector with all operations; null if memory runs out. Process-local.
N_Vector make_strided(StridedContent content, SUNContext context) noexcept;
/// Gives the N_Vector the operations that compute.
void attach_arithmetic(N_Vector vector);

}  // namespace daptor::sundials::detail
