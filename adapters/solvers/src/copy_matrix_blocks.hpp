// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include <petscmat.h>

#include "daptor/types.hpp"

namespace daptor::solvers {

/// What one process holds of a PETSc matrix: a block of the columns that it owns, and one of the
/// others.
struct Blocks {
  Mat diagonal = nullptr;
  Mat off_diagonal = nullptr;  ///< null for a sequential matrix
  /// Global number of each column of `off_diagonal`, in units of `block_size`.
  const PetscInt* ghosts_of = nullptr;
  PetscInt block_size = 1;  ///< of type BAIJ; 1 for AIJ
  PetscInt rows = 0, columns = 0, ghosts = 0;
  PetscInt first_row = 0, first_column = 0;
  PetscInt global_rows = 0, global_columns = 0;

  /// Global number of a column of `off_diagonal`. A product that fits where the columns do.
  PetscInt ghost(PetscInt g) const {
    return block_size == 1 ? ghosts_of[g] : ghosts_of[g / block_size] * block_size + g % block_size;
  }
};

/// Throws InvalidArgument for a null Mat, Finalized.
void require_matrix(Mat matrix);
/// A type of PETSc, or one derived of it.
bool is_type(Mat matrix, const char* type);
/// Half of a symmetric matrix.
bool is_sbaij(Mat matrix);
/// Throws InvalidArgument (`matrix.unassembled`, `matrix.factored`).
void require_assembled(Mat matrix);
/// Of type AIJ or BAIJ. Throws NotRepresentable (`matrix.type`, `matrix.index-range`).
Blocks blocks_of(Mat matrix);

/// The entries of one sequential block, open for reading while this lives. Process-local.
class OpenBlock {
 public:
  /// A null block has no entries. Throws LibraryFailed.
  OpenBlock(Mat block, PetscInt block_size);
  OpenBlock(const OpenBlock&) = delete;
  OpenBlock& operator=(const OpenBlock&) = delete;
  ~OpenBlock() { close(); }

  /// Entries of a row.
  PetscInt count(PetscInt row) const {
    if (starts_ == nullptr) return 0;
    const PetscInt r = row / size_;
    return (starts_[r + 1] - starts_[r]) * size_;
  }

  /// Where the values are; null for a null block.
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
      for (PetscInt c = 0; c < size_; ++c)  // each block is column after column
        visit(columns_[b] * size_ + c,
              values_[(static_cast<std::size_t>(b) * static_cast<std::size_t>(size_) +
                       static_cast<std::size_t>(c)) *
                          static_cast<std::size_t>(size_) +
                      static_cast<std::size_t>(within)]);
  }

 private:
  // The rows of blocks, and not each of their rows.
  PetscBool compressed() const { return blocked_ ? PETSC_TRUE : PETSC_FALSE; }
  void close() noexcept;

  Mat block_;
  PetscInt size_;
  bool blocked_ = false;
  const PetscInt* starts_ = nullptr;
  const PetscInt* columns_ = nullptr;
  const PetscScalar* values_ = nullptr;
};

/// One sequential block of type AIJ, its values open for writing while this lives. Its end changes
/// the state of the block and voids what PETSc has computed of its diagonal. Process-local.
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
