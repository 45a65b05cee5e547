// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include "daptor/dimension.hpp"
#include "daptor/types.hpp"

namespace daptor::petsc::detail {

/// This PETSc was configured with ScaLAPACK and has installed the header that says what is in a Mat
/// of type `scalapack`; no public function of PETSc tells where its values are.
bool knows_scalapack();

/// The Mat is of type `scalapack`, and this PETSc knows what is in it. Process-local.
bool is_scalapack(Mat mat);

/// What a Mat of type `scalapack` keeps on one process: a dense matrix in blocks that are dealt to
/// a grid of all processes, in row-major order of the ranks.
struct ScalapackPart {
  Index rows = 0;  ///< of the whole matrix
  Index columns = 0;
  Index row_block = 1;
  Index column_block = 1;
  Index row_source = 0;
  Index column_source = 0;
  GridPosition row;  ///< of this process on the grid
  GridPosition column;
  Index local_rows = 0;
  Index local_columns = 0;
  Index leading_dimension = 1;
  PetscScalar* memory = nullptr;  ///< may be null where there are no elements
};
/// Process-local. Of a Mat for which is_scalapack() holds. Throws InvalidArgument for one that is
/// not set up.
ScalapackPart scalapack_part(Mat mat);

/// The place of this process on the grid that PETSc has made for Mats of type `scalapack` on the
/// communicator of this one. Process-local.
struct ScalapackPlace {
  GridPosition row;
  GridPosition column;
};
ScalapackPlace scalapack_place(Mat mat);

/// Sets up a Mat of type `scalapack` on foreign memory, in place of MatSetUp, which would allocate:
/// PETSc never frees that memory. With columns but no rows it gets memory of PETSc's own, one
/// scalar for each column, which it reads and writes although no element is there. Process-local;
/// the sizes of the Mat and its layouts are set up, and the part has the place of
/// scalapack_place().
void set_up_on_memory(Mat mat, const ScalapackPart& part);

}  // namespace daptor::petsc::detail
