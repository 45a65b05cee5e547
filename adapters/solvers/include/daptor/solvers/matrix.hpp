// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include <Teuchos_RCP.hpp>

#include "daptor/solvers/owned_mat.hpp"
#include "daptor/solvers/types.hpp"

namespace daptor::solvers {

/// Collective over the communicator of `matrix`. A PETSc matrix of type AIJ (`seqaij`, `mpiaij` and
/// those derived of them), BAIJ or SBAIJ as a fill-complete CrsMatrix, row by row the same entries.
///
/// A copy, as its name says: Tpetra keeps both blocks of a row in one list. It is made of PETSc's
/// two local lists at once and costs 12 bytes an entry (Tpetra's own), 8 a local row and 8 a local
/// column while it is made. Of SBAIJ, which holds half of a symmetric matrix, PETSc makes an AIJ
/// matrix in between. Row and range Map number the rows as PETSc does, and are the same object; the
/// domain Map is too where the matrix has one layout for both.
///
/// The values are those at the time of the call; later changes of `matrix` are not seen.
/// @param matrix  an assembled Mat. A null one is an InvalidArgument on the rank that passed it,
///                without communication: pass it on no rank or on all
/// @returns a matrix that keeps no reference of `matrix`
/// @throws NotRepresentable on all ranks, as all of the following, with rule `matrix.type` (another
///   type; says which MatConvert helps), `matrix.index-range` (local counts that Tpetra's local
///   ordinals do not hold) or `tpetra.scalar`
/// @throws InvalidArgument (`matrix.unassembled`, `matrix.factored`, `tpetra.not-initialized`)
/// @throws Finalized
Teuchos::RCP<CrsMatrix> copy_matrix(Mat matrix);

/// Collective over the communicator of the row Map. A fill-complete CrsMatrix as a PETSc matrix of
/// type AIJ (`seqaij` on one process, else `mpiaij`), row by row the same entries.
///
/// PETSc numbers rank after rank: the i-th local row of the row Map is the i-th local row of the
/// result, the i-th local element of the domain Map its i-th local column, whatever their global
/// indices. Where both Maps are contiguous in rank order from one index base, numbers differ by
/// that base only.
///
/// A copy, as its name says, of 8 bytes a value and a PetscInt a column, and two PetscInts a local
/// row and one a local column. Made of the local rows at once; communicates to agree, for PETSc's
/// own scatter and, where the domain Map is not contiguous in rank order, once for the numbers of
/// the columns. New entries are an error in the result (MAT_NEW_NONZERO_LOCATION_ERR): MatDuplicate
/// gives a matrix without that limit.
///
/// @param matrix  a fill-complete matrix, which is read and not kept
/// @returns an assembled Mat that the result owns
/// @throws NotRepresentable on all ranks, as all of the following, with rule `matrix.maps` (row and
///   range Map differ, or an index is on several ranks) or `matrix.index-range` (counts that a
///   PetscInt does not hold)
/// @throws InvalidArgument (`matrix.unassembled`: not fill-complete; `matrix.duplicate`: two
///   entries in one place; `tpetra.not-initialized`)
/// @throws LibraryFailed; Finalized
OwnedMat copy_matrix(const CrsMatrix& matrix);

/// \name Values alone
/// The values of `matrix` as they are now into `copy`, which copy_matrix made of it. Process-local,
/// without communication or symbolic work; call it on all ranks, as norms and states of `copy`
/// change. What holds `copy` has to be told: a preconditioner of Trilinos keeps what it computed of
/// the old values, one of PETSc sees the new state.
///
/// @param matrix  what the values are read from: it has the entries that it had when it was copied
/// @param copy    what copy_matrix made of it; its values are overwritten
/// @throws InvalidArgument with rule `matrix.pattern` where `matrix` no longer has the entries that
///   it had, on the ranks where it is so; some of the values may be written then. Also for SBAIJ,
///   of which values would have to travel, and for a Mat that copy_matrix has not made
/// @throws Error otherwise as copy_matrix, on the rank at fault
/// \{
void copy_values(Mat matrix, CrsMatrix& copy);
void copy_values(const CrsMatrix& matrix, Mat copy);
/// \}

/// \name One matrix in both libraries
///
/// On the same values: what one library writes, the other reads. Needs every row's entries in
/// columns of the row's own process, as they are on one process, and as those of a block-diagonal
/// matrix are on several; NotRepresentable with rule `matrix.split` otherwise: PETSc keeps a row's
/// other entries in a second list, Tpetra in the same. Each library has indices of its own: Tpetra
/// 4 bytes an entry and 8 a row, PETSc a PetscInt a row, and one an entry where its PetscInt is
/// wider than Tpetra's local ordinal.
///
/// @param matrix  the matrix whose values are shared; it is kept alive
/// @throws NotRepresentable on all ranks, also with rule `matrix.split`, `matrix.type` (only AIJ
///   has its values row by row) or `matrix.storage` (rows with gaps, or unsorted)
/// @throws Error otherwise as copy_matrix
/// \{

/// Collective over the communicator of `matrix`. The values of a Mat of type AIJ as a CrsMatrix.
/// New entries are an error in `matrix` from then on (MAT_NEW_NONZERO_LOCATION_ERR), since they
/// would move the values. What is made of the result, its graph and column Map included, keeps the
/// values alive, by a reference of the Mat's own block; but not the rest of a parallel Mat. Tpetra
/// refuses to make another CrsMatrix on the same values (Teuchos::View).
Teuchos::RCP<CrsMatrix> share_matrix(Mat matrix);

/// Collective over the communicator of the row Map. The values of a fill-complete CrsMatrix as a
/// Mat of type AIJ, numbered as by copy_matrix. The Mat and its blocks keep `matrix` alive, which
/// must not get other memory (CrsMatrix assignment and swap) as long as they live. New entries are
/// an error in it.
OwnedMat share_matrix(const Teuchos::RCP<CrsMatrix>& matrix);

/// After a write through the other library: what this one has computed of the old values (state of
/// the Mat and inverse diagonals; Frobenius norm) is void. Process-local, logically collective:
/// call it on all ranks. A preconditioner of PETSc is set up again for it; one of Trilinos has to
/// be told by its own means.
/// @param matrix  that of the library that did not write; a Mat is of type AIJ
/// @throws InvalidArgument, LibraryFailed, Finalized
void modified(Mat matrix);
void modified(CrsMatrix& matrix);
/// \}

}  // namespace daptor::solvers
