// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

// A class in Trilinos 13.2, an alias of a template's instance in 16.1: nothing that could be
// declared here.
#include <Stratimikos_DefaultLinearSolverBuilder.hpp>

// What the call throws.
#include "daptor/error.hpp"

/// \file
/// Adds PETSc's preconditioners to Stratimikos, with which programs choose Trilinos' solvers by
/// parameters. This is a component of its own (`daptor::stratimikos`), because it needs Thyra.
///
/// \code
/// Stratimikos::DefaultLinearSolverBuilder builder;
/// daptor::solvers::add_petsc_to_stratimikos(builder);
/// parameters->set("Preconditioner Type", "PETSc");
/// parameters->sublist("Preconditioner Types").sublist("PETSc").set("Options", "-pc_type gamg");
/// builder.setParameterList(parameters);
/// \endcode

namespace daptor::solvers {

/// Adds PETSc's preconditioners to a builder of Stratimikos. Process-local. Call it before the
/// builder's parameters are set. The preconditioner has two parameters, both optional:
///
/// - `Options` (string): options as for `petsc_preconditioner`.
/// - `PETSc Options` (sublist): more options, each of them a parameter (string, int, double or
/// bool)
///   named without the dash: `pc_gamg_threshold` 0.02. They override those of `Options`.
///
/// The operator is a Tpetra CrsMatrix wrapped for Thyra, which is copied, or the result of
/// `mat_as_operator`. A preconditioner that is initialized again for the same matrix and parameters
/// is set up again.
///
/// The factory throws, collectively, what `petsc_preconditioner` throws, and InvalidArgument:
/// `stratimikos.operator` if the operator is neither of the two, `stratimikos.parameter` for a
/// parameter of another type.
/// @param builder  gets one more type of preconditioner
/// @param name     name of that type in `Preconditioner Type`
/// @throws InvalidArgument (`stratimikos.name`) if the builder already has that name
void add_petsc_to_stratimikos(Stratimikos::DefaultLinearSolverBuilder& builder,
                              const std::string& name = "PETSc");

}  // namespace daptor::solvers
