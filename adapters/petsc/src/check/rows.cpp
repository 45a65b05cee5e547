// SPDX-License-Identifier: BSD-3-Clause
#include "rows.hpp"

#include <algorithm>

#include "daptor/adapter/row_faults.hpp"
#include "daptor/petsc/adapter/mat_rows.hpp"

namespace daptor::petsc::detail {
namespace {

using adapter::RowFaults;

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

bool is_square(const MatBlocks& blocks) {
  return blocks.global_rows == blocks.global_columns && blocks.first_row == blocks.first_column &&
         blocks.rows == blocks.columns;
}

RowFaults faults_of(const OpenBlock& own, const OpenBlock& other, const MatBlocks& blocks) {
  RowFaults faults;
  const bool square = is_square(blocks);
  for (PetscInt r = 0; r < blocks.rows; ++r) {
    const Index row = Index{blocks.first_row} + r;
    const auto at = static_cast<std::size_t>(r);
    const PetscInt* const begin = own.columns() + own.begin(at);
    const PetscInt* const end = own.columns() + own.end(at);
    look_at_columns({begin, end, blocks.first_column, nullptr}, row, faults);
    if (blocks.other != nullptr)
      look_at_columns(
          {other.columns() + other.begin(at), other.columns() + other.end(at), 0, blocks.ghosts_of},
          row, faults);
    if (!square) continue;
    if (own.length(at) + other.length(at) == 0)
      faults.empty.note(row);
    else if (std::find(begin, end, r) == end)
      faults.no_diagonal.note(row);
  }
  return faults;
}

}  // namespace

void look_at_rows(Mat mat, Findings& findings) {
  if (!is_type(mat, MATSEQAIJ) && !is_type(mat, MATMPIAIJ)) return;
  const MatBlocks blocks = blocks_of(mat);
  const OpenBlock own(blocks.own, BlockAccess::columns), other(blocks.other, BlockAccess::columns);
  if (!own.readable() || !other.readable()) return;
  faults_of(own, other, blocks).tell(is_square(blocks), findings);
}

}  // namespace daptor::petsc::detail
