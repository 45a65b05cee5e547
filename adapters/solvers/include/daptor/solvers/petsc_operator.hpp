// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include <petscksp.h>

#include <Teuchos_RCP.hpp>
#include <Tpetra_Map_fwd.hpp>

#include "daptor/solvers/types.hpp"

namespace daptor::solvers {

/// The Maps of the vectors to which an operator is applied. If they are null, new Maps are made
/// from the PETSc object's layouts, contiguous in rank order from 0, as `copy_matrix` makes them.
/// The i-th local element of a Map is the i-th local row of PETSc, whatever its global index.
struct OperatorMaps {
  Teuchos::RCP<const Tpetra::Map<>> domain;  ///< Map of the vectors to which it is applied
  Teuchos::RCP<const Tpetra::Map<>> range;   ///< Map of the results
};

/// \name PETSc objects in Trilinos
///
/// Each operator is a `Tpetra::Operator` that passes the columns of the MultiVectors to PETSc as
/// Vecs on the same memory. If `alpha` is 1, `beta` is 0 and `X` does not overlap `Y`, nothing of
/// the length of a vector is copied or allocated; otherwise the operator keeps memory of its own
/// for the result, or for `X`. If the stride of the columns is their length, several columns are
/// multiplied at once (MatMatMult) by a Mat of type AIJ, BAIJ, SBAIJ or dense, and solved at once
/// (PCMatApply, KSPMatSolve) by a factorization, or by a KSP of type `preonly` that applies one.
/// Otherwise columns are processed one by one. `X` is never written. `Y` is not read if `beta` is
/// 0, even if PETSc would start from it (a KSP with a nonzero initial guess).
///
/// Example: a Mat `A` of 10 by 10 on two ranks:
/// \code
/// auto op = daptor::solvers::mat_as_operator(A);
/// op->getDomainMap()->getGlobalNumElements();  // 10 on both
/// op->apply(*X, *Y);                           // MatMult in the memory of X and Y
/// \endcode
///
/// Collective over the communicator of the object. The operator holds a reference to the object,
/// whose last release is collective in PETSc. The operator may outlive PetscFinalize, which it
/// notes once.
///
/// If PETSc fails on all ranks, an application throws LibraryFailed with PETSc's text. If it fails
/// on some ranks only, others may wait for ever: after half a minute a message says so, and the job
/// ends. Vectors on Maps that the operator has not seen are checked first, collectively, and throw
/// InvalidArgument (`operator.vectors`) if they do not fit. A mode for which `hasTransposeApply` is
/// false is an InvalidArgument (`operator.transpose`). If a vector cannot be handed over on one
/// rank, that rank takes part with vectors of NaN, and its part of the result is NaN; for several
/// columns at once, the error is thrown on all ranks.
/// @param mat, pc, ksp  the PETSc object, to which a reference is held. A null object is an
///             InvalidArgument on the rank that passed it, without communication
/// @param maps          Maps of the vectors; the same on all ranks
/// @returns an operator that works in the memory of the MultiVectors passed to it
/// @throws InvalidArgument: `operator.matrix` (there is no matrix, or it has no layout),
///   `operator.communicator` and `operator.map-size` (the Maps do not fit),
///   `collective.different` (a Map is given on some ranks only), `tpetra.not-initialized`,
///   `matrix.diagonal` (PETSc's SOR, on a matrix whose diagonal is zero or missing in a row); this
///   and all of the following is thrown on all ranks
/// @throws NotRepresentable: `operator.vec-type` (vectors are on a device), `operator.map` (a Map
///   has an index on several ranks), `operator.wrong-product` (this PETSc multiplies by the matrix
///   wrongly; docs/install.md lists such types), `tpetra.scalar`, `tpetra.device`
/// @throws LibraryFailed (`library.petsc`: PETSc's error, or a failure in PCSetUp or KSPSetUp);
///   Finalized
/// \{

/// Applies MatMult and MatMultTranspose; the Mat may be matrix-free (MATSHELL). The domain has the
/// layout of the columns, the range that of the rows.
Teuchos::RCP<Operator> mat_as_operator(Mat mat, const OperatorMaps& maps = {});

/// Applies PCApply and PCApplyTranspose. Sets up the PC, which must have its matrices
/// (PCSetOperators) and options. After its matrix has changed, the next application sets it up
/// again, as PETSc always does; a failure of that gives NaN on the ranks that failed (see
/// `set_up_again`).
Teuchos::RCP<Operator> pc_as_operator(PC pc, const OperatorMaps& maps = {});

/// Applies KSPSolve and KSPSolveTranspose, with zero as the initial guess of each column. Sets up
/// the KSP. A solution that did not converge is returned as PETSc left it, and counted (`status`);
/// with KSPSetErrorIfNotConverged it is an error. As a preconditioner a KSP is not a linear
/// operator unless its number of iterations is fixed, so use a flexible outer method.
Teuchos::RCP<Operator> ksp_as_operator(KSP ksp, const OperatorMaps& maps = {});
/// \}

/// \name PETSc objects made from options
///
/// `options` is a line as for a PETSc program, such as `"-pc_type gamg -pc_gamg_threshold 0.02"`,
/// without a prefix. It forms an options database of its own, also for the objects inside: the
/// program's options are neither read nor changed.
///
/// @param matrix   the matrix to solve with; a reference to a Mat is held
/// @param options  one line, the same on all ranks
/// @param maps     see above
/// @returns an operator that applies the PC or KSP, which it owns
/// @throws InvalidArgument on all ranks, besides the errors above: `options.syntax` (a word is
///   neither an option nor its value), `options.unknown` (no object had queried these options when
///   it was set up, nor would in a solve), `options.program` (PETSc reads the option when it is
///   initialized), `collective.different` (options differ between ranks)
/// @throws LibraryFailed with PETSc's text, for a value that PETSc does not know
/// \{

/// Makes a PC for `matrix` and sets it up.
Teuchos::RCP<Operator> petsc_preconditioner(Mat matrix, const std::string& options,
                                            const OperatorMaps& maps = {});

/// Makes a KSP for `matrix` and sets it up. A solution that does not converge is handled as by
/// `ksp_as_operator`.
Teuchos::RCP<Operator> petsc_solver(Mat matrix, const std::string& options,
                                    const OperatorMaps& maps = {});

/// The same for a fill-complete Tpetra matrix, which is copied (see `copy_matrix`), and kept for
/// `set_up_again`. The domain Map of the operator is the range Map of the matrix, and its range Map
/// is the matrix's domain Map. Also throws what copy_matrix throws. A null `matrix` is an
/// InvalidArgument on the rank that passed it, without communication.
Teuchos::RCP<Operator> petsc_preconditioner(const Teuchos::RCP<const CrsMatrix>& matrix,
                                            const std::string& options);
Teuchos::RCP<Operator> petsc_solver(const Teuchos::RCP<const CrsMatrix>& matrix,
                                    const std::string& options);
/// \}

/// Collective over the communicator of the operator. Sets up the PC or KSP behind it now, after its
/// matrix has changed. A change of a PETSc matrix is noticed in the next application anyway; for a
/// Tpetra matrix, which was copied, this call is the only way.
/// @param op  an operator made by one of the functions above
/// @throws LibraryFailed (`library.petsc`) on all ranks, also for a failure that PETSc does not
///   raise as an error (a zero pivot); otherwise like copy_matrix
void set_up_again(const Operator& op);

/// Results of an operator's applications.
struct OperatorStatus {
  std::int64_t columns = 0;  ///< number of vectors to which it was applied
  /// Number of solutions that did not converge (of a KSP; the same on all ranks), or of
  /// applications of a PC whose set-up has failed on this rank.
  std::int64_t failed = 0;
  /// Number of applications in which this rank could not hand over a vector, and took part with
  /// NaN.
  std::int64_t not_handed_over = 0;
  std::int64_t iterations = 0;  ///< total number of iterations of a KSP
  KSPConvergedReason last_reason = KSP_CONVERGED_ITERATING;  ///< of a KSP
};

/// The results of an operator's applications on this process so far. Process-local.
/// @throws InvalidArgument (`operator.foreign`) if none of the functions above has made the
///   operator
OperatorStatus status(const Operator& op);

/// The PETSc object behind an operator, for viewing (PCView) or changing it. Settings are made
/// under the program's own options. Process-local.
/// @returns the object, which belongs to the operator; null if another kind of object is behind it
Mat behind_mat(const Operator& op);
PC behind_pc(const Operator& op);
KSP behind_ksp(const Operator& op);

}  // namespace daptor::solvers
