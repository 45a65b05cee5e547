// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

#include <petscmat.h>

#include "daptor/comm.hpp"

/// \file
/// For adapters that join PETSc with another library: rows of sparse matrices in memory of ours.

namespace daptor::petsc::detail {

/// Rows in compressed form, as PETSc keeps them, in memory of ours.
struct RowArrays {
  std::unique_ptr<PetscInt[]> starts, columns;
  std::unique_ptr<PetscScalar[]> values;

  /// Room for `rows` rows; the first starts at 0.
  void make_starts(std::size_t rows);
  /// Room for the entries that `starts` counts; never null.
  void make_entries(std::size_t rows);
  /// Puts the entries of a row into increasing order of their columns. Throws InvalidArgument
  /// (`matrix.duplicate`) where a column is there twice.
  void sort_row(std::size_t row) {
    for (PetscInt e = starts[row] + 1; e < starts[row + 1]; ++e)
      if (columns[static_cast<std::size_t>(e)] <= columns[static_cast<std::size_t>(e) - 1])
        return reorder_row(row);
  }

 private:
  void reorder_row(std::size_t row);
};

/// Rows of one block as PETSc takes them.
struct RowPointers {
  PetscInt* starts = nullptr;
  PetscInt* columns = nullptr;
  PetscScalar* values = nullptr;
};
inline RowPointers pointers(const RowArrays& rows) {
  return {rows.starts.get(), rows.columns.get(), rows.values.get()};
}

/// How many rows and columns there are, here and in all.
struct MatrixSizes {
  PetscInt rows, columns, global_rows, global_columns;
};

/// Collective over `comm`, which is that of `user`. A Mat of type `seqaij` or `mpiaij` on these
/// arrays: the owned columns, counted from the first of them, and the others, by their global
/// numbers, which PETSc changes into its own.
Mat create_aij(const Comm& comm, const MatrixSizes& sizes, const RowPointers& own,
               const RowPointers& other);

/// The blocks of a Mat of type AIJ: of `seqaij` itself and null.
struct AijBlocks {
  Mat own = nullptr;
  Mat other = nullptr;
  const PetscInt* ghosts = nullptr;  ///< global number of each column of `other`
};
AijBlocks aij_blocks(Mat mat);

/// Keeps `kept` as long as PETSc has a Mat of type AIJ, or one of its blocks. Process-local.
/// Throws.
void keep_with(Mat mat, const char* key, std::shared_ptr<void> kept);
/// The same as long as PETSc has this one object.
void keep_with_one(Mat mat, const char* key, std::shared_ptr<void> kept);
/// What is kept with `mat` under that key, or null.
void* kept_with(Mat mat, const char* key);

}  // namespace daptor::petsc::detail
