// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include "daptor/comm.hpp"
#include "daptor/csr.hpp"
#include "daptor/petsc/config.hpp"
#include "daptor/petsc/owned_mat.hpp"

namespace daptor::petsc {

/// \name A sparse matrix as three arrays, in PETSc
///
/// A Mat of type AIJ has the rows of the arrays, on the ranks that have them, numbered from 0; the
/// columns of a square matrix are divided as its rows, others evenly. Collective over `comm`.
///
/// @param matrix  this process's part, with memory
/// @param comm    the processes that the arrays are divided among, over MPI
/// @returns an assembled Mat
/// @throws Malformed on all ranks, as all of the following, with rules `csr.…`, as
///   `require_consistent(CsrArrays)`
/// @throws NotRepresentable with rule `csr.scalar-type` (other values than PetscScalar) or
///   `csr.index-range` (counts that a PetscInt does not hold)
/// @throws InvalidArgument where PETSc is not initialized; Finalized
/// \{

/// A Mat on the values of the arrays; no value is copied. Needs every row's columns on the rank of
/// the row, as on one process they always are, since PETSc keeps the entries in other columns in a
/// list of their own (NotRepresentable, `csr.split`); writable, aligned values (`csr.readonly`,
/// `csr.alignment`).
///
/// On one process the columns, and the offsets, are PETSc's own too where they are PetscInts from
/// 0; otherwise PETSc gets a PetscInt for each. The Mat and its blocks keep the arrays alive. It
/// hears of writes that `values.modified()` makes known; after a write through PETSc call that.
/// New entries are an error in it (MAT_NEW_NONZERO_LOCATION_ERR).
OwnedMat import_csr(const CsrArrays& matrix, const Comm& comm);

/// A Mat with a copy of the values: any matrix.
OwnedMat copy_csr(const CsrArrays& matrix, const Comm& comm);
/// \}

/// The three arrays in the memory of a Mat of type `seqaij` on one process: nothing is copied.
/// Values can be written, columns and offsets (PetscInt, from 0) not. Process-local. They hold a
/// reference of the Mat; a lease of the values throws Stale where the Mat has other memory by then.
/// @param mat  an assembled Mat on one process
/// @returns arrays on the memory of `mat`, with `index_base` 0
/// @throws InvalidArgument (`csr.unassembled`); NotRepresentable with rule `csr.split` (a Mat on
///   several processes) or `csr.type` (another type); Finalized
CsrArrays export_csr(Mat mat);

/// Collective over the communicator of `mat`. The same in memory of its own, for any Mat of type
/// AIJ: columns are PetscInts, offsets 64-bit integers, from 0; the last offset is on the last
/// rank.
/// @param mat  an assembled Mat, which is read and not kept
/// @returns this process's part, writable
/// @throws Error as export_csr, on all ranks; not `csr.split`
CsrArrays copy_csr(Mat mat);

}  // namespace daptor::petsc
