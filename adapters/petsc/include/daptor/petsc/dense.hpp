// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include "daptor/dist_array.hpp"
#include "daptor/petsc/imported.hpp"

namespace daptor::petsc {

/// Collective. Makes a MatDense of an array whose slowest varying dimension is undistributed (or,
/// in Fortran order, a block of one process): that dimension is the columns, the other dimensions
/// together are the rows (those of the Vec of `import_vec`), and the stride of the columns gives
/// the leading dimension.
///
/// Example: three columns, with rows divided over two processes, in Fortran order, have the
/// dimensions `{block(rows, grid), undistributed(3)}`.
///
/// Beware that on more than one process, `MatNorm` of PETSc up to 3.25 (NORM_FROBENIUS, NORM_1)
/// ignores that the leading dimension may exceed the number of rows. Products, scaling and
/// MatDenseGetColumnVec are right.
///
/// Read-only memory is refused (`petsc.dense.readonly`), because PETSc's Mat has no read lock.
/// @param array  the array, over MPI, with writable memory, which the Mat keeps alive
/// @returns the Mat on the array's memory; nothing is copied
/// @throws NotRepresentable on all ranks, with rule `petsc.dense.columns`, `petsc.dense.rows-run`,
///   `petsc.dense.leading-dimension`, `petsc.dense.overlap`, `petsc.dense.type`,
///   `petsc.dense.alignment`, `petsc.dense.index-range`, `petsc.dense.readonly` or
///   `petsc.dense.device`
/// @throws Error otherwise like import_vec
ImportedDense import_dense(const DistArray& array);

/// Describes a Mat of type `seqdense` or `mpidense`: rows a block, columns undistributed, Fortran
/// order with the leading dimension as the stride of the columns. Of a Mat of type `scalapack` both
/// dimensions are block-cyclic on PETSc's grid, with the blocks and first processes of its
/// descriptor. Process-local (call it on all ranks); lifetime and Stale as export_vec.
/// @param mat  an assembled Mat; the description holds a reference of it
/// @returns the array on the memory of `mat`, and on its communicator or that of the array from
///   which it was imported
/// @throws NotRepresentable with rule `petsc.dense.type` (also for `scalapack`, where PETSc was
///   configured without it or lacks the header `petsc/private/petscscalapack.h`) or
///   `petsc.dense.device`; InvalidArgument; Finalized
DistArray export_dense(Mat mat);

/// The same, but the description is read-only.
DistArray export_dense_readonly(Mat mat);

}  // namespace daptor::petsc
