// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

// A class in Trilinos 13.2, an alias of a template's instance in 16.1: nothing that could be
// declared here.
#include <Stratimikos_DefaultLinearSolverBuilder.hpp>

/// \file
/// PETSc's preconditioners in Stratimikos, through which programs choose Trilinos' solvers by
/// parameters. A component of its own (`daptor::stratimikos`), because it needs Thyra.
///
/// \code
/// Stratimikos::DefaultLinearSolverBuilder builder;
/// daptor::solvers::add_petsc_to_stratimikos(builder);
/// parameters->set("Preconditioner Type", "PETSc");
/// parameters->sublist("Preconditioner Types").sublist("PETSc").set("Options", "-pc_type gamg");
/// builder.setParameterList(parameters);
/// \endcode

namespace daptor::solvers {

/// Makes PETSc's preconditioners known to a builder of Stratimikos. Process-local. Call it before
/// the builder's parameters are set. Parameters of the preconditioner, any of which can be left
/// out:
///
/// - `Options` (string): options as for `petsc_preconditioner`.
/// - `PETSc Options` (sublist): more options, each a parameter without the dash (string, int,
///   double or bool): `pc_gamg_threshold` 0.02. They come after those of `Options`, and win.
///
/// The operator is a Tpetra CrsMatrix wrapped for Thyra, which is copied, or the result of
/// `mat_as_operator`. A preconditioner that is initialized again for the same matrix and parameters
/// is set up again.
///
/// The factory throws, collectively, as `petsc_preconditioner`, and InvalidArgument:
/// `stratimikos.operator` for an operator that is neither of the two, `stratimikos.parameter` for a
/// parameter of another type.
/// @param builder  gets one more type of preconditioner
/// @param name     of that type in `Preconditioner Type`
/// @throws InvalidArgument (`stratimikos.name`) if the builder has that name already
void add_petsc_to_stratimikos(Stratimikos::DefaultLinearSolverBuilder& builder,
                              const std::string& name = "PETSc");

}  // namespace daptor::solvers
