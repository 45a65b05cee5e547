// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include <Teuchos_RCP.hpp>

#include "daptor/solvers/owned_mat.hpp"
#include "daptor/solvers/types.hpp"

namespace daptor::solvers {

/// Collective over the communicator of `matrix`. Makes a fill-complete CrsMatrix of a PETSc matrix
/// of type AIJ (`seqaij`, `mpiaij` and types derived from them), BAIJ or SBAIJ. Each row has the
/// same entries.
///
/// The matrix is copied, because Tpetra keeps both blocks of a row in one list. The copy is made
/// from PETSc's two local lists at once, and costs 12 bytes per entry (Tpetra's own), and, while it
/// is made, 8 per local row and 8 per local column. SBAIJ stores half of a symmetric matrix, so
/// PETSc makes an AIJ matrix of it first. Row and range Map are the same object and number the rows
/// as PETSc does; so does the domain Map if the matrix has one layout for rows and columns.
///
/// The copy has the values at the time of the call; later changes of `matrix` do not reach it.
/// @param matrix  an assembled Mat. A null Mat is an InvalidArgument on the rank that passed it,
///                without communication, so pass it on all ranks or on none
/// @returns a matrix that holds no reference to `matrix`
/// @throws NotRepresentable with rule `matrix.type` (for another type; the error says which
///   MatConvert helps), `matrix.index-range` (a local count does not fit in Tpetra's local
///   ordinals) or `tpetra.scalar`; this and all of the following is thrown on all ranks
/// @throws InvalidArgument (`matrix.unassembled`, `matrix.factored`, `tpetra.not-initialized`)
/// @throws Finalized
Teuchos::RCP<CrsMatrix> copy_matrix(Mat matrix);

/// Collective over the communicator of the row Map. Makes a PETSc matrix of type AIJ (`seqaij` on
/// one process, otherwise `mpiaij`) of a fill-complete CrsMatrix. Each row has the same entries.
///
/// PETSc numbers rank after rank: the i-th local row of the row Map becomes the i-th local row of
/// the result, and the i-th local element of the domain Map its i-th local column, whatever their
/// global indices. If both Maps are contiguous in rank order, with the same index base, numbers
/// differ only by that base.
///
/// The matrix is copied, which costs 8 bytes per value and a PetscInt per column, two PetscInts per
/// local row and one per local column. The copy is made from all local rows at once. Ranks
/// communicate to agree, for PETSc's own scatter and, if the domain Map is not contiguous in rank
/// order, once to get the numbers of the columns. Inserting new entries is an error in the result
/// (MAT_NEW_NONZERO_LOCATION_ERR); MatDuplicate gives a matrix without that limit.
///
/// @param matrix  a fill-complete matrix, which is read and not kept
/// @returns an assembled Mat, which the result owns
/// @throws NotRepresentable with rule `matrix.maps` (row and range Map differ, or an index is on
///   several ranks) or `matrix.index-range` (a count does not fit in a PetscInt); this and all of
///   the following is thrown on all ranks
/// @throws InvalidArgument (`matrix.unassembled`: not fill-complete; `matrix.duplicate`: two
///   entries at the same position; `tpetra.not-initialized`)
/// @throws LibraryFailed; Finalized
OwnedMat copy_matrix(const CrsMatrix& matrix);

/// \name Copying values alone
/// Copies the current values of `matrix` into `copy`, which copy_matrix made from it.
/// Process-local, without communication or symbolic work; call it on all ranks, because norms and
/// states of `copy` change. A preconditioner of PETSc made for `copy` sees the new state. One of
/// Trilinos keeps what it computed from the old values, so it must be told.
///
/// @param matrix  the matrix whose values are read; it must have the entries that it had when it
///                was copied
/// @param copy    what copy_matrix made from it; its values are overwritten
/// @throws InvalidArgument with rule `matrix.pattern`, on the ranks where `matrix` no longer has
///   the same entries; some of the values may have been written then. Also for SBAIJ, half of whose
///   values are on other ranks, and for a Mat that copy_matrix has not made
/// @throws Error otherwise like copy_matrix, on the rank at fault
/// \{
void copy_values(Mat matrix, CrsMatrix& copy);
void copy_values(const CrsMatrix& matrix, Mat copy);
/// \}

/// \name One matrix in both libraries
///
/// The matrix made shares its values with the original: what one library writes, the other reads.
/// All entries of a row must be in columns of the row's own process, as they are on one process, or
/// in a block-diagonal matrix on several. Otherwise NotRepresentable with rule `matrix.split` is
/// thrown, because PETSc keeps a row's other entries in a second list, and Tpetra in the same list.
/// Each library has indices of its own: Tpetra 4 bytes per entry and 8 per row, PETSc a PetscInt
/// per row, and one per entry if its PetscInt is wider than Tpetra's local ordinal.
///
/// @param matrix  the matrix whose values are shared, which is kept alive
/// @throws NotRepresentable on all ranks, also with rule `matrix.split`, `matrix.type` (only AIJ
///   stores its values row by row) or `matrix.storage` (rows have gaps or are unsorted)
/// @throws Error otherwise like copy_matrix
/// \{

/// Collective over the communicator of `matrix`. Makes a CrsMatrix on the values of a Mat of type
/// AIJ. From then on, inserting new entries in `matrix` is an error (MAT_NEW_NONZERO_LOCATION_ERR),
/// since that would move the values, and MatZeroRows keeps entries that become zero
/// (MAT_KEEP_NONZERO_PATTERN). The result and everything made from it, its graph and column Map
/// included, hold a reference to the Mat's own block, but not the rest of a parallel Mat.
///
/// MatShift with a missing diagonal entry, MatAXPY and MatCopy with DIFFERENT_NONZERO_PATTERN, and
/// MatTranspose in place give the Mat other memory for its values. Where PETSc frees the shared
/// values, as it does on one process, `modified` throws Stale, and the result must not be read any
/// more; where it makes other blocks, the result keeps the old values. Share the Mat again after
/// such a call. Tpetra refuses to make another CrsMatrix on the same values (Teuchos::View).
Teuchos::RCP<CrsMatrix> share_matrix(Mat matrix);

/// Collective over the communicator of the row Map. Makes a Mat of type AIJ on the values of a
/// fill-complete CrsMatrix, numbered as by copy_matrix. The Mat and its blocks keep `matrix` alive;
/// it must not get other memory (by assignment or swap) as long as they live. Inserting new entries
/// in the Mat is an error, and MatZeroRows keeps entries that become zero.
OwnedMat share_matrix(const Teuchos::RCP<CrsMatrix>& matrix);

/// Call this after a write through the other library, on all ranks: it invalidates what this
/// library has computed from the old values (state of the Mat and inverse diagonals; Frobenius
/// norm). Process-local, logically collective. A preconditioner of PETSc is then set up again; one
/// of Trilinos must be told by its own means.
/// @param matrix  the matrix of the library that did not write; a Mat must be of type AIJ
/// @throws Stale on the ranks where a Mat has let go of the values that the CrsMatrix was made of
/// @throws InvalidArgument, LibraryFailed, Finalized
void modified(Mat matrix);
void modified(CrsMatrix& matrix);
/// \}

}  // namespace daptor::solvers
