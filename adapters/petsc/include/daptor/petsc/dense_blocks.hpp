// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include "daptor/dist_array.hpp"
#include "daptor/petsc/owned_mat.hpp"

/// \file
/// Dense matrices in blocks dealt to a grid, as PETSc's Mats of type `scalapack` (MATSCALAPACK).
/// The way back is `export_dense`.

namespace daptor::petsc {

/// Collective. A matrix in blocks as a MATSCALAPACK on its memory, for PETSc's dense
/// factorisations: nothing is copied.
///
/// Dimension 0 becomes the rows, dimension 1 the columns. Each is cyclic or block-cyclic from
/// process 0 on, undistributed, or in blocks of `ceil(size / processes)`; memory is column-major
/// without gaps, and ranks are in row-major order on the grid. PETSc's LU factors a copy
/// (MatGetFactor), unless in place (MatLUFactor): call `array.modified()` after PETSc has written.
/// Only a process with columns but no rows, and so no elements, allocates: one scalar for each of
/// these columns, because PETSc reads and writes as many.
///
/// PETSc demands that `ceil(size / processes)` rows and columns for each process leave only the
/// last one with fewer (16 on 5, not 17 on 8). It has one grid for all Mats of this type on a
/// communicator: the first one chooses it, this call the grid of the array. While such a Mat exists
/// on another grid the import is refused, which `explain` does not know.
///
/// PETSc has no function that gives a MATSCALAPACK memory. The import fills in what MatSetUp would,
/// by the structure in PETSc's header `petsc/private/petscscalapack.h`; a PETSc that was configured
/// without ScaLAPACK, or lacks the header, refuses (`petsc.scalapack.missing`).
/// @param array  the array, over MPI, with writable memory, which the Mat keeps alive
/// @returns the Mat on the array's memory, assembled
/// @throws NotRepresentable on all ranks, with rule `petsc.scalapack.dimensions`,
///   `petsc.scalapack.distribution`, `petsc.scalapack.uneven-blocks`, `petsc.scalapack.origin`,
///   `petsc.scalapack.order`,
///   `petsc.scalapack.sizes`, `petsc.scalapack.rank-order`, `petsc.scalapack.grid`,
///   `petsc.scalapack.type`, `petsc.scalapack.alignment`, `petsc.scalapack.index-range`,
///   `petsc.scalapack.readonly`, `petsc.scalapack.device` or `petsc.scalapack.missing`
/// @throws Error otherwise as import_vec
OwnedMat import_scalapack(const DistArray& array);

}  // namespace daptor::petsc
