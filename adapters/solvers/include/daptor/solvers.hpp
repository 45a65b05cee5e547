// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Operators across PETSc and Trilinos: each works in the vectors of the other.
///
/// \code
/// Teuchos::ParameterList parameters;
/// auto M = daptor::solvers::muelu_preconditioner(A, parameters);  // A: a PETSc Mat of type AIJ
/// KSPGetPC(ksp, &pc);
/// daptor::solvers::operator_as_pc(M, pc);                         // MueLu in PETSc's own vectors
/// KSPSolve(ksp, b, x);
/// \endcode
///
/// The program starts PETSc and Kokkos (`PetscInitialize`, `Tpetra::ScopeGuard`); Daptor does
/// neither. The element type on both sides is PetscScalar. Where the installed Tpetra has no
/// objects of that type (Debian's Tpetra and a complex PETSc), every call throws NotRepresentable
/// (rule `tpetra.scalar`) on all ranks.
///
/// PETSc numbers rows rank after rank. A Tpetra Map may number them otherwise; Daptor pairs the
/// i-th local row of one side with the i-th of the other on the same rank.

// What the calls take and return is used at once: with its own types.
#include <petscksp.h>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_RCP.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>

#include "daptor/solvers/matrix.hpp"
#include "daptor/solvers/muelu.hpp"
#include "daptor/solvers/petsc_operator.hpp"
#include "daptor/solvers/shell.hpp"
