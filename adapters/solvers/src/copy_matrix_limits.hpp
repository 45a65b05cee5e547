// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include <petscsys.h>
#include <Tpetra_Map_fwd.hpp>

#include "daptor/types.hpp"

namespace daptor::solvers {

/// The largest counts that the two libraries can represent. A test makes them smaller.
struct IndexLimits {
  Index local_ordinal;  ///< Tpetra: rows and columns of a process
  Index petsc_int;      ///< PETSc: global rows and columns, entries of a process
};
extern IndexLimits index_limits;

/// Throws NotRepresentable (`matrix.index-range`) if these do not fit in Tpetra's local ordinals.
void require_local_ordinals(Index local_rows, Index local_columns);
/// The same for PETSc.
void require_petsc_ints(Index global_rows, Index global_columns, Index local_entries);

}  // namespace daptor::solvers
