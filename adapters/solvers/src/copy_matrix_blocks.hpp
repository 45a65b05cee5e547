// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include <petscmat.h>

#include "daptor/types.hpp"

namespace daptor::solvers {

/// The part of a PETSc matrix on one process: a block of the columns that the process owns, and a
/// block of all other columns.
struct Blocks {
  Mat diagonal = nullptr;
  Mat off_diagonal = nullptr;  ///< null for a sequential matrix
  /// Global number of each column of `off_diagonal`, in units of `block_size`.
  const PetscInt* ghosts_of = nullptr;
  PetscInt block_size = 1;  ///< for type BAIJ; 1 for AIJ
  PetscInt rows = 0, columns = 0, ghosts = 0;
  PetscInt first_row = 0, first_column = 0;
  PetscInt global_rows = 0, global_columns = 0;

  /// Global number of a column of `off_diagonal`. The product does not overflow, because the
  /// columns fit in a PetscInt.
  PetscInt ghost(PetscInt g) const {
    return block_size == 1 ? ghosts_of[g] : ghosts_of[g / block_size] * block_size + g % block_size;
  }
};

/// Throws InvalidArgument for a null Mat, and what require_running throws.
void require_matrix(Mat matrix);
/// Whether the matrix has this PETSc type or a type derived from it.
bool is_type(Mat matrix, const char* type);
/// Whether the matrix stores only half of a symmetric matrix.
bool is_sbaij(Mat matrix);
/// Requires as many rows as columns, on this process, too: with another matrix preconditioners of
/// Trilinos fail on one rank in the middle of their work, or read outside of their arrays.
/// Throws InvalidArgument (`matrix.square`).
void require_square(Mat matrix);
/// Throws InvalidArgument (`matrix.unassembled`, `matrix.factored`).
void require_assembled(Mat matrix);
/// The blocks of a matrix of type AIJ or BAIJ. Throws NotRepresentable (`matrix.type`,
/// `matrix.index-range`).
Blocks blocks_of(Mat matrix);

/// The entries of one sequential block, open for reading while this object lives. Process-local.
class OpenBlock {
 public:
  /// A null block has no entries. Throws LibraryFailed.
  OpenBlock(Mat block, PetscInt block_size);
  OpenBlock(const OpenBlock&) = delete;
  OpenBlock& operator=(const OpenBlock&) = delete;
  ~OpenBlock() { close(); }

  /// Number of entries in a row.
  PetscInt count(PetscInt row) const {
    if (starts_ == nullptr) return 0;
    const PetscInt r = row / size_;
    return (starts_[r + 1] - starts_[r]) * size_;
  }

  /// Address of the values; null for a null block.
  const PetscScalar* values() const { return values_; }

  /// Calls `visit(column, value)` for each entry of a row, in PETSc's order.
  template <class F>
  void row(PetscInt row, F&& visit) const {
    if (starts_ == nullptr) return;
    if (size_ == 1) {
      for (PetscInt e = starts_[row]; e < starts_[row + 1]; ++e) visit(columns_[e], values_[e]);
      return;
    }
    const PetscInt within = row % size_;
    for (PetscInt b = starts_[row / size_]; b < starts_[row / size_ + 1]; ++b)
      for (PetscInt c = 0; c < size_; ++c)  // the values of a block are in column-major order
        visit(columns_[b] * size_ + c,
              values_[(static_cast<std::size_t>(b) * static_cast<std::size_t>(size_) +
                       static_cast<std::size_t>(c)) *
                          static_cast<std::size_t>(size_) +
                      static_cast<std::size_t>(within)]);
  }

 private:
  // Returns rows of blocks instead of single rows.
  PetscBool compressed() const { return blocked_ ? PETSC_TRUE : PETSC_FALSE; }
  void close() noexcept;

  Mat block_;
  PetscInt size_;
  bool blocked_ = false;
  const PetscInt* starts_ = nullptr;
  const PetscInt* columns_ = nullptr;
  const PetscScalar* values_ = nullptr;
};

/// One sequential block of type AIJ whose values are open for writing while this object lives. Its
/// destructor changes the state of the block and invalidates what PETSc has cached about the
/// diagonal. Process-local.
class WritableBlock {
 public:
  /// A null block has no entries. Throws LibraryFailed.
  explicit WritableBlock(Mat block);
  WritableBlock(const WritableBlock&) = delete;
  WritableBlock& operator=(const WritableBlock&) = delete;
  ~WritableBlock() { close(); }

  PetscInt begin(PetscInt row) const { return starts_ == nullptr ? 0 : starts_[row]; }
  PetscInt end(PetscInt row) const { return starts_ == nullptr ? 0 : starts_[row + 1]; }
  PetscInt column(PetscInt entry) const { return columns_[entry]; }
  PetscScalar& value(PetscInt entry) { return values_[entry]; }

 private:
  void close() noexcept;

  Mat block_;
  const PetscInt* starts_ = nullptr;
  const PetscInt* columns_ = nullptr;
  PetscScalar* values_ = nullptr;
};

}  // namespace daptor::solvers
