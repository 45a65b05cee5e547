// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include <petscsys.h>
#include <Tpetra_Map_fwd.hpp>

#include "daptor/types.hpp"

namespace daptor::solvers {

/// The largest counts that the two libraries hold. A test makes them smaller.
struct IndexLimits {
  Index local_ordinal;  ///< of Tpetra: rows and columns of a process
  Index petsc_int;      ///< global rows and columns, entries of a process
};
extern IndexLimits index_limits;

/// Throws NotRepresentable (`matrix.index-range`) where Tpetra does not count these.
void require_local_ordinals(Index local_rows, Index local_columns);
/// The same for PETSc.
void require_petsc_ints(Index global_rows, Index global_columns, Index local_entries);

}  // namespace daptor::solvers
