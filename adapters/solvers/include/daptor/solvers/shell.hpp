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
/// Each application passes PETSc's own vectors to the operator: `X` and `Y` of
/// `Tpetra::Operator::apply` are one-column MultiVectors on the operator's own Maps and on the
/// memory of the Vecs; `X` is only read. Nothing of the length of a vector is copied or allocated,
/// except what the operator itself allocates. The state of the written Vec changes on all ranks, so
/// that cached norms become invalid.
///
/// No C++ exception crosses PETSc: an exception of the operator becomes a PETSc error with its
/// text. If a vector cannot be handed over on one rank, that rank takes part in the application
/// with vectors of NaN, so that the others do not wait for it. The result has NaN there, and KSP
/// stops on all ranks (KSP_DIVERGED_PC_FAILED or KSP_DIVERGED_NANORINF). Vecs must be of type
/// `seq`, `mpi` or `shared`.
///
/// @param op  the operator, which the Mat or PC keeps alive
/// @throws InvalidArgument: `operator.null`, `operator.communicator`, `tpetra.not-initialized`, or
///   `matrix.diagonal` (an object of Ifpack2 or MueLu divides by a diagonal that is zero or
///   missing); this and all of the following is thrown on all ranks
/// @throws NotRepresentable: `operator.index-range`, `operator.map` (a Map has an index on several
///   ranks), `tpetra.scalar`
/// @throws Finalized
/// \{

/// Collective over `comm`. Makes a Mat of type `shell` with MatMult and, if the operator has a
/// transpose, MatMultTranspose (the conjugate transpose is MatMultHermitianTranspose).
/// @param comm  the processes of the operator's Maps, in the same order
/// @returns the Mat, which the result owns
OwnedMat operator_as_mat(const Teuchos::RCP<const Operator>& op, const Comm& comm);

/// Collective over the communicator of `pc`. Turns a PC into one of type `shell` that applies the
/// operator.
/// @param pc  may belong to a KSP. PETSc applies it only if it has matrices (KSPSetOperators,
///            PCSetOperators)
///            PCSetOperators). Unchanged where this throws; but if PETSc fails while the operator
///            is attached, for lack of memory, it is of type `none`
void operator_as_pc(const Teuchos::RCP<const Operator>& op, PC pc);
/// \}

}  // namespace daptor::solvers
