// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

#include <petscmat.h>

#include "daptor/call.hpp"

/// \file
/// For adapters that join PETSc with another library: rows of sparse matrices in memory that Daptor
/// owns.

namespace daptor::petsc::detail {

/// Rows in compressed form, as PETSc stores them, in memory that Daptor owns.
struct RowArrays {
  std::unique_ptr<PetscInt[]> starts, columns;
  std::unique_ptr<PetscScalar[]> values;

  /// Allocates `starts` for `rows` rows; the first row starts at 0.
  void make_starts(std::size_t rows);
  /// Allocates `columns` and `values` for the entries that `starts` counts; they are never null.
  void make_entries(std::size_t rows);
  /// Sorts the entries of a row by column. Throws InvalidArgument (`matrix.duplicate`) if a column
  /// occurs twice.
  void sort_row(std::size_t row) {
    for (PetscInt e = starts[row] + 1; e < starts[row + 1]; ++e)
      if (columns[static_cast<std::size_t>(e)] <= columns[static_cast<std::size_t>(e) - 1])
        return reorder_row(row);
  }

 private:
  void reorder_row(std::size_t row);
};

/// Pointers to the rows of one block, as arguments for PETSc.
struct RowPointers {
  PetscInt* starts = nullptr;
  PetscInt* columns = nullptr;
  PetscScalar* values = nullptr;
};
inline RowPointers pointers(const RowArrays& rows) {
  return {rows.starts.get(), rows.columns.get(), rows.values.get()};
}

/// Numbers of rows and columns, on this process and in total.
struct MatrixSizes {
  PetscInt rows, columns, global_rows, global_columns;
};

/// Collective. Makes a Mat of type `seqaij` or `mpiaij` on these arrays. Columns of
/// `own` count from the first owned column; columns of `other` are global numbers, which PETSc
/// replaces by its own.
Mat create_aij(const MatrixSizes& sizes, const RowPointers& own, const RowPointers& other,
               Call& call);

/// The blocks of a Mat of type AIJ. For `seqaij` these are the Mat itself and null.
struct AijBlocks {
  Mat own = nullptr;
  Mat other = nullptr;
  const PetscInt* ghosts = nullptr;  ///< global number of each column of `other`
};
AijBlocks aij_blocks(Mat mat);

/// Keeps `kept` alive as long as PETSc has a Mat of type AIJ or one of its blocks. Process-local.
/// Throws LibraryFailed.
void keep_with(Mat mat, const char* key, std::shared_ptr<void> kept);
/// The same, as long as PETSc has this one object.
void keep_with_one(Mat mat, const char* key, std::shared_ptr<void> kept);
/// The object that is kept with `mat` under this key, or null.
void* kept_with(Mat mat, const char* key);

}  // namespace daptor::petsc::detail
