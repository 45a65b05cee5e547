// SPDX-License-Identifier: BSD-3-Clause
#include "rows.hpp"

#include <algorithm>

#include "daptor/adapter/row_faults.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/row_arrays.hpp"

namespace daptor::petsc::detail {
namespace {

using adapter::RowFaults;

/// The columns of the rows of a sequential block, while this lives.
class BlockRows {
 public:
  explicit BlockRows(Mat block) : block_(block) {
    if (block == nullptr) return;
    call("MatGetRowIJ", MatGetRowIJ, block, 0, PETSC_FALSE, PETSC_FALSE, &count_, &starts_,
         &columns_, &done_);
  }
  BlockRows(const BlockRows&) = delete;
  BlockRows& operator=(const BlockRows&) = delete;
  ~BlockRows() {
    if (done_ == PETSC_TRUE)
      static_cast<void>(MatRestoreRowIJ(block_, 0, PETSC_FALSE, PETSC_FALSE, &count_, &starts_,
                                        &columns_, &done_));
  }
  bool readable() const { return block_ == nullptr || done_ == PETSC_TRUE; }
  const PetscInt* begin(PetscInt row) const { return block_ ? columns_ + starts_[row] : nullptr; }
  const PetscInt* end(PetscInt row) const { return block_ ? columns_ + starts_[row + 1] : nullptr; }

 private:
  Mat block_;
  PetscInt count_ = 0;
  const PetscInt* starts_ = nullptr;
  const PetscInt* columns_ = nullptr;
  PetscBool done_ = PETSC_FALSE;
};

/// The columns of one row of one block, which count from `offset` or are places in `ghosts`.
struct Columns {
  const PetscInt* begin;
  const PetscInt* end;
  Index offset;
  const PetscInt* ghosts;

  Index global(PetscInt column) const {
    return ghosts == nullptr ? offset + column : static_cast<Index>(ghosts[column]);
  }
};

void look_at_columns(const Columns& columns, Index row, RowFaults& faults) {
  faults.look_at_columns(columns.begin, columns.end, row,
                         [&](PetscInt column) { return columns.global(column); });
}

/// The global numbers of this rank's rows and columns.
struct Place {
  PetscInt first_row = 0, stop_row = 0, first_column = 0, stop_column = 0;
  bool square = false;
};

Place place_of(Mat mat) {
  Place place;
  PetscInt rows = 0, columns = 0;
  call("MatGetSize", MatGetSize, mat, &rows, &columns);
  call("MatGetOwnershipRange", MatGetOwnershipRange, mat, &place.first_row, &place.stop_row);
  call("MatGetOwnershipRangeColumn", MatGetOwnershipRangeColumn, mat, &place.first_column,
       &place.stop_column);
  place.square = rows == columns && place.first_row == place.first_column &&
                 place.stop_row == place.stop_column;
  return place;
}

RowFaults faults_of(const BlockRows& own, const BlockRows& other, const PetscInt* ghosts,
                    const Place& place) {
  RowFaults faults;
  for (PetscInt r = 0; r < place.stop_row - place.first_row; ++r) {
    const Index row = static_cast<Index>(place.first_row) + r;
    look_at_columns({own.begin(r), own.end(r), place.first_column, nullptr}, row, faults);
    look_at_columns({other.begin(r), other.end(r), 0, ghosts}, row, faults);
    if (!place.square) continue;
    const bool empty = own.begin(r) == own.end(r) && other.begin(r) == other.end(r);
    if (empty)
      faults.empty.note(row);
    else if (std::find(own.begin(r), own.end(r), r) == own.end(r))
      faults.no_diagonal.note(row);
  }
  return faults;
}

}  // namespace

void look_at_rows(Mat mat, Findings& findings) {
  bool aij = false;
  for (const char* type : {MATSEQAIJ, MATMPIAIJ}) {
    PetscBool same = PETSC_FALSE;
    call("PetscObjectBaseTypeCompare", PetscObjectBaseTypeCompare, object(mat), type, &same);
    aij = aij || same == PETSC_TRUE;
  }
  if (!aij) return;
  const AijBlocks blocks = aij_blocks(mat);
  const BlockRows own(blocks.own), other(blocks.other);
  if (!own.readable() || !other.readable()) return;
  const Place place = place_of(mat);
  faults_of(own, other, blocks.ghosts, place).tell(place.square, findings);
}

}  // namespace daptor::petsc::detail
