// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

#include <petscmat.h>

#include "daptor/adapter/rows.hpp"
#include "daptor/call.hpp"

/// \file
/// For adapters that join PETSc with another library: rows of sparse matrices in memory that Daptor
/// owns.

namespace daptor::petsc::detail {

/// Rows in compressed form, as PETSc stores them, in memory that Daptor owns.
struct RowArrays {
  std::unique_ptr<PetscInt[]> starts, columns;
  std::unique_ptr<PetscScalar[]> values;

  /// Allocates all three; columns and values are never null. The first row starts at 0.
  void make(std::size_t rows, std::size_t entries);
  /// The same for rows without entries.
  void make_empty(std::size_t rows);
  /// Allocates `starts` alone.
  void make_starts(std::size_t rows);
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

/// Collective. Makes a Mat of type `seqaij` or `mpiaij` on these arrays, whose sizes fit in a
/// PetscInt. Columns of `own` count from the first owned column; columns of `other` are global
/// numbers, which PETSc replaces by its own.
Mat create_aij(const adapter::RowLayout& layout, const RowPointers& own, const RowPointers& other,
               Call& call);

/// Keeps `kept` alive as long as PETSc has a Mat of type AIJ or one of its blocks. Process-local.
/// Throws LibraryFailed.
void keep_with(Mat mat, const char* key, std::shared_ptr<void> kept);
/// The same, as long as PETSc has this one object.
void keep_with_one(Mat mat, const char* key, std::shared_ptr<void> kept);
/// The object that is kept with `mat` under this key, or null.
void* kept_with(Mat mat, const char* key);

}  // namespace daptor::petsc::detail
