// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "daptor/adapter/rows.hpp"
#include "daptor/petsc/adapter/row_arrays.hpp"

/// \file
/// For this adapter and for adapters that join PETSc with another library: rows of any matrix,
/// written as PETSc has them, the entries in owned columns in one block and all others in another.

namespace daptor::petsc::detail {

/// What becomes of entries of one row in one column.
enum class Duplicates { added, refused };

/// Throws InvalidArgument (`matrix.duplicate`).
[[noreturn]] void refuse_duplicate(std::ptrdiff_t row);

/// Writes rows entry by entry, sorts each of them by column, and adds up entries in one column, in
/// their order. Rows that are nearly in order, such as those of hypre, which have the diagonal
/// first, are sorted by insertion.
class RowWriter {
 public:
  /// @param to  has memory for all entries. The writer writes its starts, each when the row before
  ///            it has ended
  explicit RowWriter(RowArrays& to, Duplicates duplicates)
      : first_start_(to.starts.get()),
        starts_(to.starts.get()),
        columns_(to.columns.get()),
        values_(to.values.get()),
        duplicates_(duplicates) {}

  void add(PetscInt column, PetscScalar value) {
    if (end_ != begin_ && column <= columns_[end_ - 1] && !insert(column, value)) return;
    columns_[end_] = column;
    values_[end_++] = value;
  }
  void end_row() {
    if (sort_) sort_row();
    sort_ = false;
    moved_ = 0;
    *++starts_ = static_cast<PetscInt>(begin_ = end_);
  }

 private:
  /// Moves this many entries of a row for each of its entries, and sorts it in the end otherwise.
  static constexpr std::size_t most_moved = 8;

  /// True if the entry goes to the end of the row.
  bool insert(PetscInt column, PetscScalar value) {
    if (sort_ || moved_ > most_moved * (end_ - begin_)) return sort_ = true;
    std::size_t place = end_;
    for (; place > begin_ && columns_[place - 1] > column; --place) move(place - 1, place);
    if (place > begin_ && columns_[place - 1] == column) {
      add_to(place - 1, value);
      for (; place < end_; ++place) move(place + 1, place);
      return false;
    }
    moved_ += end_ - place;
    columns_[place] = column;
    values_[place] = value;
    ++end_;
    return false;
  }

  void move(std::size_t from, std::size_t to) {
    columns_[to] = columns_[from];
    values_[to] = values_[from];
  }

  void add_to(std::size_t place, PetscScalar value) {
    if (duplicates_ == Duplicates::refused) refuse_duplicate(starts_ - first_start_);
    values_[place] += value;
  }

  void sort_row() {
    std::vector<std::pair<PetscInt, PetscScalar>> entries;
    entries.reserve(end_ - begin_);
    for (std::size_t e = begin_; e < end_; ++e) entries.emplace_back(columns_[e], values_[e]);
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    end_ = begin_;
    for (const auto& [column, value] : entries) {
      if (end_ > begin_ && columns_[end_ - 1] == column) {
        add_to(end_ - 1, value);
      } else {
        columns_[end_] = column;
        values_[end_++] = value;
      }
    }
  }

  PetscInt* first_start_;
  PetscInt* starts_;
  PetscInt* columns_;
  PetscScalar* values_;
  std::size_t begin_ = 0, end_ = 0;  ///< of the row that is being written
  std::size_t moved_ = 0;
  bool sort_ = false;
  Duplicates duplicates_;
};

/// The entries in owned columns, whose numbers count from the first of them, and all others, with
/// their global columns.
struct DividedRows {
  RowArrays own, other;
};

/// Process-local. Copies the rows to both blocks. Columns increase within a row.
/// @param rows  see `daptor/adapter/rows.hpp`; its counts fit in a PetscInt
template <class Rows>
void divide(const Rows& rows, Duplicates duplicates, DividedRows& to) {
  const std::size_t count = rows.layout().row_count(), own_entries = rows.own_entries();
  to.own.make(count, own_entries);
  to.other.make(count, rows.entries() - own_entries);
  RowWriter own(to.own, duplicates), other(to.other, duplicates);
  for (std::size_t r = 0; r < count; ++r) {
    rows.row(
        r, [&](auto local, PetscScalar value) { own.add(static_cast<PetscInt>(local), value); },
        [&](auto number, PetscScalar value) {
          other.add(static_cast<PetscInt>(rows.global(number)), value);
        });
    own.end_row();
    other.end_row();
  }
}

}  // namespace daptor::petsc::detail
