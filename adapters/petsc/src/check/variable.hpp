// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <petscksp.h>

namespace daptor::petsc::detail {

/// Whether the solver relies on a preconditioner that is the same linear map in each application,
/// as CG and GMRES do and FGMRES does not. Process-local.
bool needs_fixed_preconditioner(KSP ksp);

/// The solver within the preconditioner, at any depth, that makes it another map in each
/// application: a Krylov method, or one that stops by a tolerance; `gmres (options prefix
/// 'fieldsplit_0_', relative tolerance 1e-05)`. Looked into are those of type ksp and fieldsplit,
/// and multigrid. Empty if there is none, or if the preconditioner is not set up. Process-local.
std::string variable_solver(PC pc);

/// The solvers of a fieldsplit that is set up, one for each field. Process-local.
std::vector<KSP> solvers_of_fields(PC pc);

}  // namespace daptor::petsc::detail
