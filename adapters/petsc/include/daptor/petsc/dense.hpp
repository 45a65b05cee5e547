// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/petsc/imported.hpp"

namespace daptor::petsc {

/// Collective over `comm`. An array with a slowest varying undistributed dimension as a MatDense:
/// that dimension is the columns, all others together the rows (the Vec of `import_vec`), the
/// leading dimension comes from its stride.
///
/// Example: rows divided over two processes, three columns, Fortran order: dimensions
/// `{block(rows, grid), undistributed(3)}`.
///
/// Mind that `MatNorm` of PETSc 3.18 (NORM_FROBENIUS, NORM_1) passes over a leading dimension
/// larger than the rows on more than one process; multiplying, scaling and MatDenseGetColumnVec do
/// not.
///
/// Read-only memory is refused (`petsc.dense.readonly`): PETSc's Mat has no read lock.
/// @param array  this process's section, with writable memory, which the Mat keeps alive
/// @param comm   the processes that the array is divided among, over MPI
/// @returns the Mat on the array's memory; nothing is copied
/// @throws NotRepresentable on all ranks, with rule `petsc.dense.columns`, `petsc.dense.rows-run`,
///   `petsc.dense.leading-dimension`, `petsc.dense.overlap`, `petsc.dense.scalar-type`,
///   `petsc.dense.alignment`, `petsc.dense.index-range`, `petsc.dense.readonly` or
///   `petsc.dense.device`
/// @throws Error otherwise as import_vec
ImportedDense import_dense(const DistArray& array, const Comm& comm);

/// Describes a Mat of type `seqdense` or `mpidense`: rows a block, columns undistributed, Fortran
/// order with the leading dimension as the stride of the columns. Process-local (call it on all
/// ranks); lifetime and Stale as export_vec.
/// @param mat  an assembled Mat; the description holds a reference of it
/// @returns this process's rows, on the memory of `mat`
/// @throws NotRepresentable with rule `petsc.dense.type` or `petsc.dense.device`; InvalidArgument;
///   Finalized
DistArray export_dense(Mat mat);

/// The same, not writable.
DistArray export_dense_readonly(Mat mat);

}  // namespace daptor::petsc
