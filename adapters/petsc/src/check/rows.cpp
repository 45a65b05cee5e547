// SPDX-License-Identifier: BSD-3-Clause
#include "rows.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/row_arrays.hpp"

namespace daptor::petsc::detail {
namespace {

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

/// How often something was found on this rank, and where first.
struct Fault {
  Index count = 0;
  Index row = 0;     ///< global
  Index column = 0;  ///< global

  void note(Index at_row, Index at_column = 0) {
    if (count++ == 0) row = at_row, column = at_column;
  }
  std::string text(const std::string& of_first) const {
    return of_first + (count == 1 ? "" : " (" + std::to_string(count) + " such rows on this rank)");
  }
};

struct RowFaults {
  Fault empty, no_diagonal, twice, unordered;
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

/// The place of a column that comes a second time in a row that is in order, or the end.
const PetscInt* repeated(const PetscInt* begin, const PetscInt* end) {
  const PetscInt* const first = std::adjacent_find(begin, end);
  return first == end ? end : first + 1;
}

void look_at_columns(const Columns& columns, Index row, RowFaults& faults) {
  const PetscInt* const disorder = std::is_sorted_until(columns.begin, columns.end);
  if (disorder == columns.end) {
    const PetscInt* const second = repeated(columns.begin, columns.end);
    if (second != columns.end) faults.twice.note(row, columns.global(*second));
    return;
  }
  faults.unordered.note(row, columns.global(*disorder));
  std::vector<PetscInt> sorted(columns.begin, columns.end);
  std::sort(sorted.begin(), sorted.end());
  const PetscInt* const end = sorted.data() + sorted.size();
  const PetscInt* const second = repeated(sorted.data(), end);
  if (second != end) faults.twice.note(row, columns.global(*second));
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

void tell(const RowFaults& faults, Findings& findings) {
  if (faults.twice.count > 0)
    findings.error(
        "check.mat.column-twice",
        faults.twice.text("row " + std::to_string(faults.twice.row) +
                          " has two entries in column " + std::to_string(faults.twice.column)),
        "each column at most once in a row",
        "Add up such entries before the matrix is made of arrays.");
  if (faults.unordered.count > 0)
    findings.warning("check.mat.column-order",
                     faults.unordered.text("column " + std::to_string(faults.unordered.column) +
                                           " of row " + std::to_string(faults.unordered.row) +
                                           " stands behind a greater one"),
                     "increasing columns within a row",
                     "Sort the columns of each row before the matrix is made of arrays.");
  if (faults.empty.count > 0)
    findings.warning("check.mat.empty-row",
                     faults.empty.text("row " + std::to_string(faults.empty.row) +
                                       " of a square matrix has no entries"),
                     "an entry in each row, since the matrix is singular otherwise",
                     "Look for elements that are not assembled, or set the diagonal of unknowns "
                     "that take part in no equation.");
  if (faults.no_diagonal.count > 0)
    findings.warning("check.mat.no-diagonal",
                     faults.no_diagonal.text("row " + std::to_string(faults.no_diagonal.row) +
                                             " has no entry on the diagonal"),
                     "an entry, which may be zero: Jacobi, SOR, ILU and multigrid rely on it",
                     "Insert the diagonal too, or choose a preconditioner that needs none.");
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
  tell(faults_of(own, other, blocks.ghosts, place_of(mat)), findings);
}

}  // namespace daptor::petsc::detail
