// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <petscksp.h>

#include "daptor/call.hpp"

/// \file
/// PETSc's SOR divides by the diagonal of each process's rows. Where it is zero, PETSc raises an
/// error on that process alone, for which the others wait; where it is missing, PETSc takes another
/// entry for it.

namespace daptor::solvers {

/// A preconditioner of PETSc that is set, or will be by the options.
struct Sweeping {
  Mat matrix = nullptr;  ///< that it is made of; borrowed
  std::string type;      ///< its type, or that of the preconditioners of its blocks
  PetscReal shift = 0;   ///< what is added to a diagonal of zero (-pc_sor_diagonal_shift)
};

/// Process-local. With the options of the PC, which may not have been read yet. Throws
/// LibraryFailed.
Sweeping sweeping_of(PC pc);

/// Collective over the processes of the matrix. Throws InvalidArgument (`matrix.diagonal`) on all
/// of them if the type is PETSc's SOR, which cannot sweep over these rows on one. Any other type is
/// accepted.
/// @param place    where the matrix stands, for an error; empty for the program's own
/// @param instead  what to choose, as `refuse_rows_without_diagonal` has it
void require_sor_diagonal(const Sweeping& sweeping, const std::string& place, const char* instead,
                          Call& call);

}  // namespace daptor::solvers
