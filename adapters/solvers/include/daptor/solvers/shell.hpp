// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscpc.h>

#include <Teuchos_RCP.hpp>

#include "daptor/comm.hpp"
#include "daptor/solvers/owned_mat.hpp"
#include "daptor/solvers/types.hpp"

namespace daptor::solvers {

/// \name Trilinos operators in PETSc
///
/// Each application hands PETSc's own vectors to the operator: `X` and `Y` of
/// `Tpetra::Operator::apply` are one-column MultiVectors on the operator's own Maps and on the
/// memory of the Vecs, `X` for reading. Nothing of the length of a vector is copied or allocated;
/// what the operator itself allocates is its own. The state of the written Vec changes on all
/// ranks, so that cached norms are void.
///
/// No C++ exception crosses PETSc: what the operator throws becomes a PETSc error with its text.
/// Where handing over a vector fails on one rank, that rank takes part in the application with
/// vectors of NaN, so that the others do not wait for it: the result holds NaN there, and KSP
/// stops on all ranks (KSP_DIVERGED_PC_FAILED or KSP_DIVERGED_NANORINF). Vecs must be of type
/// `seq`, `mpi` or `shared`.
///
/// @param op  what is applied; the Mat or PC keeps it alive
/// @throws InvalidArgument on all ranks, as all of the following: `operator.null`,
///   `operator.communicator`, `tpetra.not-initialized`
/// @throws NotRepresentable `operator.index-range`, `operator.map` (a Map with an index on several
///   ranks), `tpetra.scalar`
/// @throws Finalized
/// \{

/// Collective over `comm`. A Mat of type `shell`; MatMult, and MatMultTranspose where the operator
/// has a transpose (the conjugate one is MatMultHermitianTranspose).
/// @param comm  the processes of the operator's Maps, in the same order
/// @returns the Mat, owned by the result
OwnedMat operator_as_mat(const Teuchos::RCP<const Operator>& op, const Comm& comm);

/// Collective over the communicator of `pc`. Turns a PC into one of type `shell` that applies the
/// operator.
/// @param pc  may be a KSP's own. PETSc applies it only where it has matrices (KSPSetOperators,
///            PCSetOperators)
void operator_as_pc(const Teuchos::RCP<const Operator>& op, PC pc);
/// \}

}  // namespace daptor::solvers
