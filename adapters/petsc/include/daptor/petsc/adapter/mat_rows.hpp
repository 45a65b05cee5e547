// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include <petscmat.h>

#include "daptor/adapter/rows.hpp"

/// \file
/// For this adapter and for adapters that join PETSc with another library: the rows of a Mat of
/// type AIJ or BAIJ, opened. Process-local; PETSc's errors are thrown as LibraryFailed.

namespace daptor::petsc::detail {

/// Whether the Mat has this type of PETSc or one derived from it.
bool is_type(Mat mat, const char* type);
/// The type's name; empty if the Mat has none yet.
std::string type_of(Mat mat);

/// The part of a Mat on one process: a block of the columns that the process owns, and a block of
/// all other columns.
struct MatBlocks {
  Mat own = nullptr;    ///< the Mat itself, if it is sequential or of another type
  Mat other = nullptr;  ///< null for a sequential Mat
  /// Global number of each column of `other`, in units of `block_size`.
  const PetscInt* ghosts_of = nullptr;
  PetscInt block_size = 1;  ///< for type BAIJ; 1 for AIJ
  PetscInt rows = 0, columns = 0, ghosts = 0;
  PetscInt first_row = 0, first_column = 0;
  PetscInt global_rows = 0, global_columns = 0;

  /// Global number of a column of `other`. The product does not overflow, because the columns fit
  /// in a PetscInt.
  PetscInt ghost(PetscInt g) const {
    return block_size == 1 ? ghosts_of[g] : ghosts_of[g / block_size] * block_size + g % block_size;
  }
  adapter::RowLayout layout() const {
    return {{first_row, Index{first_row} + rows},
            {first_column, Index{first_column} + columns},
            global_rows,
            global_columns};
  }
};
MatBlocks blocks_of(Mat mat);

/// What of a block is opened. PETSc takes it for changed after `write`, and forgets what it has
/// cached about the diagonal.
enum class BlockAccess { columns, read, write };

/// One sequential block of type AIJ or BAIJ, open while this object lives.
class OpenBlock {
 public:
  /// A null block has no entries. Throws LibraryFailed if PETSc does not give the lists of another
  /// type, except for `columns`.
  explicit OpenBlock(Mat block, BlockAccess access = BlockAccess::read, PetscInt block_size = 1);
  OpenBlock(const OpenBlock&) = delete;
  OpenBlock& operator=(const OpenBlock&) = delete;
  ~OpenBlock() { close(); }

  /// Whether PETSc has given the lists.
  bool readable() const { return block_ == nullptr || starts_ != nullptr; }
  /// PETSc's lists, of blocks for type BAIJ; null for a null block.
  PetscInt rows() const { return rows_; }
  const PetscInt* starts() const { return starts_; }
  const PetscInt* columns() const { return columns_; }
  PetscScalar* values() const { return values_; }

  std::size_t entries() const {
    if (starts_ == nullptr) return 0;
    const auto size = static_cast<std::size_t>(size_);
    return static_cast<std::size_t>(starts_[rows_]) * size * size;
  }
  /// Number of entries in a row.
  std::size_t length(std::size_t row) const {
    return static_cast<std::size_t>(end(row) - begin(row)) * static_cast<std::size_t>(size_);
  }
  /// Where the entries of a row are in the lists.
  PetscInt begin(std::size_t row) const { return starts_ == nullptr ? 0 : starts_[place(row)]; }
  PetscInt end(std::size_t row) const { return starts_ == nullptr ? 0 : starts_[place(row) + 1]; }

  /// Calls `visit(column, value)` for each entry of a row, in PETSc's order.
  template <class F>
  [[gnu::always_inline]] void row(std::size_t row, F&& visit) const {
    if (starts_ == nullptr) return;
    if (size_ == 1) {
      const PetscInt stop = starts_[row + 1];
      for (PetscInt e = starts_[row]; e < stop; ++e) visit(columns_[e], values_[e]);
      return;
    }
    const auto size = static_cast<std::size_t>(size_);
    for (PetscInt b = begin(row); b < end(row); ++b)
      for (PetscInt c = 0; c < size_; ++c)  // the values of a block are in column-major order
        visit(columns_[b] * size_ + c,
              values_[(static_cast<std::size_t>(b) * size + static_cast<std::size_t>(c)) * size +
                      row % size]);
  }

 private:
  std::size_t place(std::size_t row) const {
    return size_ == 1 ? row : row / static_cast<std::size_t>(size_);
  }
  // Returns rows of blocks instead of single rows.
  PetscBool compressed() const { return blocked_ ? PETSC_TRUE : PETSC_FALSE; }
  PetscErrorCode exchange_values(bool open);
  void close() noexcept;

  Mat block_;
  BlockAccess access_;
  PetscInt size_;
  bool blocked_ = false;
  PetscInt rows_ = 0;
  const PetscInt* starts_ = nullptr;
  const PetscInt* columns_ = nullptr;
  PetscScalar* values_ = nullptr;
};

/// The rows of a Mat (`daptor/adapter/rows.hpp`). Other columns have the numbers that they have in
/// the second block.
class MatRows {
 public:
  using Value = PetscScalar;
  static constexpr bool owned_first = true;

  explicit MatRows(const MatBlocks& blocks)
      : blocks_(blocks),
        layout_(blocks.layout()),
        own_(blocks.own, BlockAccess::read, blocks.block_size),
        other_(blocks.other, BlockAccess::read, blocks.block_size) {}

  const adapter::RowLayout& layout() const { return layout_; }
  std::size_t entries() const { return own_.entries() + other_.entries(); }
  std::size_t own_entries() const { return own_.entries(); }
  std::size_t length(std::size_t r) const { return own_.length(r) + other_.length(r); }
  template <class Own, class Other>
  [[gnu::always_inline]] void row(std::size_t r, Own&& own, Other&& other) const {
    own_.row(r, own);
    other_.row(r, other);
  }
  Index global(PetscInt number) const { return blocks_.ghost(number); }
  /// Values of the block of the owned columns.
  PetscScalar* own_values() const { return own_.values(); }

 private:
  MatBlocks blocks_;
  adapter::RowLayout layout_;
  OpenBlock own_, other_;
};

/// Takes values over those of a Mat of type AIJ (`adapter::write_values`); other columns are
/// global. The blocks learn that they were written to, but the Mat that consists of them does not.
class MatValues {
 public:
  MatValues(const MatBlocks& blocks, adapter::RefuseEntries refuse)
      : own_block_(blocks.own, BlockAccess::write),
        other_block_(blocks.other, BlockAccess::write),
        own_(own_block_.columns(), own_block_.values(), refuse),
        other_(other_block_.columns(), other_block_.values(), refuse, blocks.ghosts_of) {}

  void open(std::size_t r) {
    own_.open(at(own_block_.begin(r)), at(own_block_.end(r)));
    other_.open(at(other_block_.begin(r)), at(other_block_.end(r)));
  }
  void own(PetscInt local, const PetscScalar& value) { own_.write(local, value); }
  void other(PetscInt column, const PetscScalar& value) { other_.write(column, value); }
  void close() {
    own_.close();
    other_.close();
  }

 private:
  static std::size_t at(PetscInt entry) { return static_cast<std::size_t>(entry); }

  OpenBlock own_block_, other_block_;
  adapter::RowValues<adapter::Numbers::columns, PetscInt, PetscScalar> own_;
  adapter::RowValues<adapter::Numbers::listed, PetscInt, PetscScalar> other_;
};

}  // namespace daptor::petsc::detail
