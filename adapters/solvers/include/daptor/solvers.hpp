// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Makes operators of PETSc work on Trilinos' vectors, and operators of Trilinos on PETSc's.
///
/// \code
/// Teuchos::ParameterList parameters;
/// auto M = daptor::solvers::muelu_preconditioner(A, parameters);  // A: a PETSc Mat of type AIJ
/// KSPGetPC(ksp, &pc);
/// daptor::solvers::operator_as_pc(M, pc);                         // MueLu in PETSc's own vectors
/// KSPSolve(ksp, b, x);
/// \endcode
///
/// The program starts PETSc and Kokkos (`PetscInitialize`, `Tpetra::ScopeGuard`); Daptor starts
/// neither. The element type on both sides is PetscScalar. If the installed Tpetra has no objects
/// of that type (as with Debian's Tpetra and a complex PETSc), every call throws NotRepresentable
/// (rule `tpetra.scalar`) on all ranks.
///
/// PETSc numbers rows rank after rank, while a Tpetra Map may number them in any way. Daptor pairs
/// the i-th local row of one side with the i-th local row of the other side on the same rank.

// Complete types, because callers use what the calls take and return at once.
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
#include "daptor/solvers/register_pcs.hpp"
#include "daptor/solvers/shell.hpp"
