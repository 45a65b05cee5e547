// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include <petscksp.h>

#include <Teuchos_RCP.hpp>
#include <Tpetra_Map_fwd.hpp>

#include "daptor/solvers/types.hpp"

namespace daptor::solvers {

/// Maps of the vectors that an operator is applied to. Null: made of the PETSc object's layouts,
/// contiguous in rank order from 0, as `copy_matrix` makes them. The i-th local element of a Map is
/// the i-th local row of PETSc, whatever its global index.
struct OperatorMaps {
  Teuchos::RCP<const Tpetra::Map<>> domain;  ///< of the vectors that it is applied to
  Teuchos::RCP<const Tpetra::Map<>> range;   ///< of the results
};

/// \name PETSc objects in Trilinos
///
/// Each is a `Tpetra::Operator` that hands the columns of the MultiVectors to PETSc as Vecs on the
/// same memory: with `alpha` 1, `beta` 0 and `X` apart from `Y` nothing of the length of a vector
/// is copied or allocated. Otherwise the operator keeps memory of its own for the result, or for
/// `X`. Several columns are multiplied at once (MatMatMult) by a Mat of type AIJ, BAIJ, SBAIJ or
/// dense, and solved at once (PCMatApply, KSPMatSolve) by a factorization or a KSP of type
/// `preonly` that applies one, where their stride is their length; else one by one. `X` is never
/// written, `Y` not read where `beta` is 0, also where PETSc would start from it (a KSP with a
/// nonzero initial guess).
///
/// Example, two ranks, a Mat `A` of 10 by 10:
/// \code
/// auto op = daptor::solvers::mat_as_operator(A);
/// op->getDomainMap()->getGlobalNumElements();  // 10 on both
/// op->apply(*X, *Y);                           // MatMult in the memory of X and Y
/// \endcode
///
/// Collective over the communicator of the object, of which they keep a reference; its last release
/// is collective in PETSc. They may outlive PetscFinalize, which they note once.
///
/// An application throws LibraryFailed with PETSc's text where PETSc fails on all ranks; where it
/// fails on some only, which may leave the others waiting, that is said and the job ended after
/// half a minute. Vectors on Maps that the operator has not seen are looked at first, collectively:
/// InvalidArgument (`operator.vectors`). `operator.transpose`: a mode that `hasTransposeApply` has
/// denied. Where handing over a vector fails on one rank, that rank takes part with vectors of NaN,
/// and its part of the result is NaN; for several columns at once the error is thrown on all ranks.
/// @param mat, pc, ksp  the PETSc object, of which a reference is kept. A null one is an
///                      InvalidArgument on the rank that passed it, without communication
/// @param maps          Maps of the vectors; the same on all ranks
/// @returns an operator that works in the memory of the MultiVectors that it is given
/// @throws InvalidArgument on all ranks, as all of the following: `operator.matrix` (no matrix, or
///   one without layout), `operator.communicator` and `operator.map-size` (Maps that do not fit),
///   `tpetra.not-initialized`
/// @throws NotRepresentable `operator.vec-type` (vectors on a device), `operator.map` (a Map with
///   an index on several ranks), `tpetra.scalar`, `tpetra.device`
/// @throws LibraryFailed (`library.petsc`: PETSc's error or failure in PCSetUp or KSPSetUp);
///   Finalized
/// \{

/// MatMult and MatMultTranspose; a matrix-free Mat (MATSHELL) too. The domain has the layout of
/// the columns, the range that of the rows.
Teuchos::RCP<Operator> mat_as_operator(Mat mat, const OperatorMaps& maps = {});

/// PCApply and PCApplyTranspose. Sets the PC up; it has its matrices (PCSetOperators) and options.
/// After its matrix has changed, the next application sets it up again, as PETSc always does; a
/// failure then gives NaN on the ranks that failed (see `set_up_again`).
Teuchos::RCP<Operator> pc_as_operator(PC pc, const OperatorMaps& maps = {});

/// KSPSolve and KSPSolveTranspose, each column from zero. Sets the KSP up. A solution that did not
/// converge is handed on as PETSc leaves it, and counted (`status`); with KSPSetErrorIfNotConverged
/// it is an error. As a preconditioner it is not a linear operator unless its number of iterations
/// is fixed: take a flexible method outside.
Teuchos::RCP<Operator> ksp_as_operator(KSP ksp, const OperatorMaps& maps = {});
/// \}

/// \name Made from options
///
/// `options` is a line as for a PETSc program, `"-pc_type gamg -pc_gamg_threshold 0.02"`, without
/// prefix. It is an options database of its own, also for what the object has inside: options of
/// the program are neither looked at nor changed.
///
/// @param matrix   the matrix to solve with; a Mat is kept by a reference
/// @param options  as a line; the same on all ranks
/// @param maps     as above
/// @returns an operator that applies the PC or KSP, which it owns
/// @throws InvalidArgument on all ranks, besides the errors above: `options.syntax` (a word that is
///   no option and follows no option), `options.unknown` (options that no object had queried when
///   it was set up, by name), `options.differ` (options that differ between ranks)
/// @throws LibraryFailed with PETSc's text, for a value that PETSc does not know
/// \{

/// A PC for `matrix`, set up.
Teuchos::RCP<Operator> petsc_preconditioner(Mat matrix, const std::string& options,
                                            const OperatorMaps& maps = {});

/// A KSP for `matrix`, set up. A solution that does not converge is handled as by
/// `ksp_as_operator`.
Teuchos::RCP<Operator> petsc_solver(Mat matrix, const std::string& options,
                                    const OperatorMaps& maps = {});

/// The same for a fill-complete Tpetra matrix, which is copied (see `copy_matrix`), and kept for
/// `set_up_again`. Domain and range Map are the matrix's range and domain Map. Throw, besides, as
/// copy_matrix. A null `matrix` is an InvalidArgument on the rank that passed it, without
/// communication.
Teuchos::RCP<Operator> petsc_preconditioner(const Teuchos::RCP<const CrsMatrix>& matrix,
                                            const std::string& options);
Teuchos::RCP<Operator> petsc_solver(const Teuchos::RCP<const CrsMatrix>& matrix,
                                    const std::string& options);
/// \}

/// Collective over the communicator of the operator. Sets up the PC or KSP behind it now, after its
/// matrix has changed. A PETSc matrix is looked at in the next application anyway; of a Tpetra
/// matrix, which was copied, this is the only way.
/// @param op  an operator that one of the functions above has made
/// @throws LibraryFailed (`library.petsc`) on all ranks, also for a failure that PETSc does not
///   raise as an error (a zero pivot); otherwise as copy_matrix
void set_up_again(const Operator& op);

/// What the operator's applications came to. Process-local.
struct OperatorStatus {
  std::int64_t columns = 0;  ///< vectors that it was applied to
  /// Solutions that did not converge (KSP; the same on all ranks), applications of a PC that failed
  /// in its set-up on this rank.
  std::int64_t failed = 0;
  /// Applications in which this rank could not hand over a vector, and took part with NaN.
  std::int64_t not_handed_over = 0;
  std::int64_t iterations = 0;                               ///< of a KSP, all together
  KSPConvergedReason last_reason = KSP_CONVERGED_ITERATING;  ///< of a KSP
};

/// What an operator's applications on this process came to so far. Process-local.
/// @throws InvalidArgument (`operator.foreign`) for an operator that none of the functions above
///   has made
OperatorStatus status(const Operator& op);

/// The PETSc object behind an operator, to look at (PCView) or to change; what is set is set under
/// the program's own options. Process-local.
/// @returns the object, which belongs to the operator; null where another kind of object is behind
///   it
Mat behind_mat(const Operator& op);
PC behind_pc(const Operator& op);
KSP behind_ksp(const Operator& op);

}  // namespace daptor::solvers
