// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include "daptor/csr.hpp"
#include "daptor/petsc/config.hpp"
#include "daptor/petsc/owned_mat.hpp"
#include "daptor/split_rows.hpp"

namespace daptor::petsc {

/// \name Sparse matrices described by three arrays, in PETSc
///
/// The rows of a Mat of type AIJ are those of the arrays, on the same ranks, numbered from 0.
/// Columns of a square matrix are divided like its rows, columns of other matrices evenly.
/// Collective.
///
/// @param matrix  the arrays, over MPI, with memory
/// @returns an assembled Mat
/// @throws Malformed with rules `csr.…`, like `require_consistent(CsrArrays)`; this and all of the
///   following is thrown on all ranks
/// @throws NotRepresentable with rule `csr.type` (values are not of type PetscScalar) or
///   `csr.index-range` (a count does not fit in a PetscInt)
/// @throws InvalidArgument if PETSc is not initialized; Finalized
/// \{

/// Makes a Mat on the values of the arrays; no value is copied. All columns of a row must belong to
/// the rank of the row, as they always do on one process, since PETSc keeps entries in other
/// columns in a separate list (NotRepresentable, `csr.split`). Columns must increase within a row
/// (`csr.column-order`). The values must be writable and
/// aligned (`csr.readonly`, `csr.alignment`).
///
/// On one process PETSc also uses the columns and the offsets themselves, if they are PetscInts
/// that count from 0; otherwise PETSc gets a PetscInt for each. The Mat and its blocks keep the
/// arrays alive. `values.modified()` notifies the Mat of a write; call it after a write through
/// PETSc too. Inserting new entries is an error in PETSc (MAT_NEW_NONZERO_LOCATION_ERR).
OwnedMat import_csr(const CsrArrays& matrix);

/// Makes a Mat with a copy of the values, for any matrix. Columns are sorted within a row, and
/// entries in one column are added.
OwnedMat copy_csr(const CsrArrays& matrix);
/// \}

/// Collective. The same of rows whose entries are in two blocks, as PETSc has them too: one pass
/// over the entries, without a copy between. Columns are divided as the rows say.
/// \code
/// auto A = daptor::petsc::copy_csr(daptor::hypre::describe(matrix));  // a HYPRE_ParCSRMatrix
/// \endcode
/// @param rows  this process's rows; read and not kept
/// @returns an assembled Mat, on new memory
/// @throws Malformed: `csr.arrays`, `csr.index-type`, `csr.alignment`, `csr.length`,
///   `csr.division`, `csr.shape`, `csr.monotone`, `csr.local-column` (a column that the block does
///   not have), `csr.column-range`; what `copy_csr` of arrays throws else; on all ranks
OwnedMat copy_csr(const SplitRows& rows);

/// Describes the memory of a Mat of type `seqaij` on one process as three arrays; nothing is
/// copied. Values can be written; columns and offsets (PetscInt, counted from 0) cannot.
/// Process-local. The arrays hold a reference to the Mat. A lease of any of them throws Stale if
/// the Mat has other entries or other memory by then, as after MatZeroRows and MatAXPY.
/// @param mat  an assembled Mat on one process
/// @returns arrays on the memory of `mat` and on its communicator, with `index_base` 0
/// @throws InvalidArgument (`csr.unassembled`); NotRepresentable with rule `csr.split` (the Mat is
///   on several processes) or `csr.kind` (another type); Finalized
CsrArrays export_csr(Mat mat);

/// Collective over the communicator of `mat`. The same on new memory, for any Mat of type AIJ.
/// Columns are PetscInts and offsets are 64-bit integers, both counted from 0; the last offset is
/// on the last rank.
/// @param mat  an assembled Mat, which is read and not kept
/// @returns writable arrays on that communicator
/// @throws Error like export_csr, on all ranks; but not `csr.split`
CsrArrays copy_csr(Mat mat);

}  // namespace daptor::petsc
