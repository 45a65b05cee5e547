// SPDX-License-Identifier: BSD-3-Clause
#include "rows.hpp"

#include "daptor/adapter/row_faults.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/mat_rows.hpp"
#include "objects.hpp"

namespace daptor::petsc::detail {
namespace {

bool is_square(const MatBlocks& blocks) {
  return blocks.global_rows == blocks.global_columns && blocks.first_row == blocks.first_column &&
         blocks.rows == blocks.columns;
}

adapter::RowFaults faults_of(const OpenBlock& own, const OpenBlock& other,
                             const MatBlocks& blocks) {
  adapter::RowFaults faults;
  for (PetscInt r = 0; r < blocks.rows; ++r) {
    const Index row = Index{blocks.first_row} + r;
    const auto at = static_cast<std::size_t>(r);
    faults.look_at_row(
        own.columns() + own.begin(at), own.columns() + own.end(at), row, r,
        [&](PetscInt column) { return Index{blocks.first_column} + column; }, other.length(at) > 0);
    faults.look_at_columns(other.columns() + other.begin(at), other.columns() + other.end(at), row,
                           [&](PetscInt column) { return Index{blocks.ghosts_of[column]}; });
  }
  return faults;
}

}  // namespace

void look_at_rows(Mat mat, Findings& findings) {
  if (!is_one_of(object(mat), {MATSEQAIJ, MATMPIAIJ})) return;
  const MatBlocks blocks = blocks_of(mat);
  const OpenBlock own(blocks.own, BlockAccess::columns), other(blocks.other, BlockAccess::columns);
  if (!own.readable() || !other.readable()) return;
  faults_of(own, other, blocks).tell(is_square(blocks), findings);
}

}  // namespace daptor::petsc::detail
