// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>

#include "layouts.hpp"

/// \file
/// Matrices in blocks: PETSc's own, and arrays.

/// Whether this PETSc has Mats of type scalapack, and the header that tells what is in one.
#if defined(PETSC_HAVE_SCALAPACK) && __has_include(<petsc/private/petscscalapack.h>)
#define DAPTOR_TEST_MATSCALAPACK 1
#else
#define DAPTOR_TEST_MATSCALAPACK 0
#endif

namespace daptor_test::blocks {

using daptor::cyclic;
using daptor::GridPosition;
using daptor::petsc::OwnedMat;

/// Largest towards the diagonal, and not symmetric.
inline PetscScalar entry(Index i, Index j) {
  return static_cast<PetscReal>(i == j ? 50 : 1) + static_cast<PetscReal>(i + 3 * j % 7) / 100;
}

struct Blocks {
  PetscInt rows, columns, row_block = 2, column_block = 3, row_source = 0, column_source = 0;
};

/// PETSc makes a Mat of this size: `ceil(size / processes)` for all processes but the last one.
inline bool fits(Index size) {
  return (size_of() - 1) * ((size + size_of() - 1) / size_of()) <= size;
}

#if DAPTOR_TEST_MATSCALAPACK
/// PETSc's own Mat, set by its own functions.
inline OwnedMat native(const Blocks& blocks) {
  Mat mat = nullptr;
  MatCreateScaLAPACK(world, blocks.row_block, blocks.column_block, blocks.rows, blocks.columns,
                     blocks.row_source, blocks.column_source, &mat);
  for (PetscInt i = 0; i < blocks.rows; ++i)
    for (PetscInt j = 0; j < blocks.columns; ++j)
      if (rank_of() == 0) MatSetValue(mat, i, j, entry(i, j), INSERT_VALUES);
  MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY);
  return OwnedMat(mat);
}
#endif

/// The grid of PETSc's choice.
inline std::array<Index, 2> default_grid() {
  auto rows = static_cast<Index>(std::sqrt(size_of()) + 0.001);
  if (size_of() % rows != 0) rows = 1;
  return {rows, size_of() / rows};
}

/// An array of blocks on a grid with this many rows.
struct Tiles {
  Tiles(Index rows, Index columns, Index grid_rows, Index row_block = 2, Index column_block = 3)
      : shape{rows, columns},
        row{grid_rows, rank_of() / (size_of() / grid_rows)},
        column{size_of() / grid_rows, rank_of() % (size_of() / grid_rows)},
        array(owning({cyclic(rows, row, row_block), cyclic(columns, column, column_block)},
                     Order::fortran)) {
    for (const Element& e : elements(array))
      at(array, e.offset) = entry(e.natural / columns, e.natural % columns);
  }
  std::array<Index, 2> shape;
  GridPosition row, column;
  DistArray array;
};

}  // namespace daptor_test::blocks
