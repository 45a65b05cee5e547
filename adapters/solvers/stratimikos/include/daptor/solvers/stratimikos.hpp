// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

/// \file
/// PETSc's preconditioners in Stratimikos, Trilinos' solvers chosen by parameters. A component of
/// its own (`daptor::stratimikos`), since it takes Thyra.
///
/// \code
/// Stratimikos::DefaultLinearSolverBuilder builder;
/// daptor::solvers::add_petsc_to_stratimikos(builder);
/// parameters->set("Preconditioner Type", "PETSc");
/// parameters->sublist("Preconditioner Types").sublist("PETSc").set("Options", "-pc_type gamg");
/// builder.setParameterList(parameters);
/// \endcode

namespace Stratimikos {
class DefaultLinearSolverBuilder;
}

namespace daptor::solvers {

/// Process-local. Makes PETSc's preconditioners known to `builder` under `name`, before its
/// parameters are set. Parameters, of which any can be left out:
///
/// - `Options` (string): options as for `petsc_preconditioner`.
/// - `PETSc Options` (sublist): more of them, each a parameter without the dash (string, int,
///   double or bool): `pc_gamg_threshold` 0.02. They come after those of `Options`, and win.
///
/// The operator is a Tpetra CrsMatrix in Thyra's wrapping, which is copied, or a PETSc Mat as
/// `mat_as_operator` makes it one. A preconditioner that is initialized again for the same matrix
/// and parameters is set up again.
///
/// Throws InvalidArgument (`stratimikos.name`) where `builder` has that name already. The factory
/// throws, collectively, as `petsc_preconditioner`, and InvalidArgument: `stratimikos.operator` for
/// an operator that is neither of the two, `stratimikos.parameter` for a parameter of another type.
void add_petsc_to_stratimikos(Stratimikos::DefaultLinearSolverBuilder& builder,
                              const std::string& name = "PETSc");

}  // namespace daptor::solvers
