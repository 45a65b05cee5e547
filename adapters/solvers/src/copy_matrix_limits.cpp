// SPDX-License-Identifier: BSD-3-Clause
#include "copy_matrix_limits.hpp"

#include <algorithm>
#include <string>

#include <Tpetra_Map.hpp>

#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/names.hpp"

namespace daptor::solvers {

IndexLimits index_limits{std::numeric_limits<Tpetra::Map<>::local_ordinal_type>::max(),
                         std::numeric_limits<PetscInt>::max()};

void require_local_ordinals(Index local_rows, Index local_columns) {
  if (std::max(local_rows, local_columns) <= index_limits.local_ordinal) return;
  throw NotRepresentable(adapter::reason("matrix.index-range",
                                         std::to_string(local_rows) + " local rows, " +
                                             std::to_string(local_columns) + " local columns",
                                         "local counts that fit in Tpetra's local ordinals",
                                         "Use more processes."));
}

void require_petsc_ints(Index global_rows, Index global_columns, Index local_entries) {
  if (std::max({global_rows, global_columns, local_entries}) <= index_limits.petsc_int) return;
  throw NotRepresentable(adapter::reason(
      "matrix.index-range",
      std::to_string(global_rows) + " rows, " + std::to_string(global_columns) + " columns, " +
          std::to_string(local_entries) + " entries on one process",
      "counts that fit in a " + petsc::names::integer,
      "Use a PETSc configured with 64-bit indices, or more processes if the entries are too "
      "many."));
}

}  // namespace daptor::solvers
