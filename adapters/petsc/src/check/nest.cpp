// SPDX-License-Identifier: BSD-3-Clause
#include "nest.hpp"

#include "daptor/adapter/row_faults.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/mat_rows.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "objects.hpp"
#include "parts.hpp"

namespace daptor::petsc::detail {
namespace {

/// Adds the number of entries that each row of this rank has in the block.
/// @returns whether the block could be read
bool add_lengths(Mat block, std::vector<std::size_t>& lengths) {
  PetscBool assembled = PETSC_FALSE;
  if (is_one_of(object(block), {MATSEQAIJ, MATMPIAIJ}))
    call("MatAssembled", MatAssembled, block, &assembled);
  if (assembled == PETSC_FALSE) return false;
  const MatBlocks blocks = blocks_of(block);
  const OpenBlock own(blocks.own, BlockAccess::columns), other(blocks.other, BlockAccess::columns);
  if (!own.readable() || !other.readable()) return false;
  lengths.resize(static_cast<std::size_t>(blocks.rows));
  for (std::size_t r = 0; r < lengths.size(); ++r) lengths[r] += own.length(r) + other.length(r);
  return true;
}

void tell_empty(const std::vector<std::size_t>& lengths, PetscInt row_of_blocks,
                Findings& findings) {
  adapter::RowFault empty;
  for (std::size_t r = 0; r < lengths.size(); ++r)
    if (lengths[r] == 0) empty.note(static_cast<Index>(r));
  if (empty.count == 0) return;
  findings.warning("check.mat.empty-row",
                   empty.text("local row " + std::to_string(empty.row) + " in row " +
                              std::to_string(row_of_blocks) +
                              " of the blocks of a square matrix has no entries"),
                   "an entry in each row, since the matrix is singular otherwise",
                   "Look for elements that are not assembled, or set the diagonal of unknowns "
                   "that take part in no equation.");
}

/// Rows that are empty in all blocks.
void look_for_empty_rows(Mat mat, const std::vector<NestBlock>& blocks, Findings& findings) {
  PetscInt rows = 0, columns = 0;
  call("MatGetSize", MatGetSize, mat, &rows, &columns);
  if (rows != columns) return;
  for (auto block = blocks.begin(); block != blocks.end();) {
    const PetscInt row_of_blocks = block->row;
    std::vector<std::size_t> lengths;
    bool known = true;
    for (; block != blocks.end() && block->row == row_of_blocks; ++block)
      if (block->mat != nullptr) known = add_lengths(block->mat, lengths) && known;
    if (known) tell_empty(lengths, row_of_blocks, findings);
  }
}

/// The index sets of a MatNest.
struct Sets {
  std::vector<IS> rows, columns;
};

Sets sets_of(Mat mat, const std::vector<NestBlock>& blocks) {
  Sets sets;
  if (blocks.empty()) return sets;
  sets.rows.resize(static_cast<std::size_t>(blocks.back().row) + 1);
  sets.columns.resize(static_cast<std::size_t>(blocks.back().column) + 1);
  call("MatNestGetISs", MatNestGetISs, mat, sets.rows.data(), sets.columns.data());
  return sets;
}

Parts::Words words_of(const char* row) {
  return {"check.mat.blocks-repeated", "check.mat.blocks-left-out", row, "block",
          "Correct the index sets of which the nested matrix is made: together they have each row "
          "and each column once."};
}

}  // namespace

std::vector<NestBlock> blocks_of_nest(Mat mat) {
  std::vector<NestBlock> blocks;
  if (!is_set_up(mat) || !is_one_of(object(mat), {MATNEST})) return blocks;
  PetscInt rows = 0, columns = 0;
  Mat** mats = nullptr;
  call("MatNestGetSubMats", MatNestGetSubMats, mat, &rows, &columns, &mats);
  for (PetscInt r = 0; r < rows; ++r)
    for (PetscInt c = 0; c < columns; ++c) blocks.push_back({mats[r][c], r, c});
  return blocks;
}

Report check_nest(Mat mat) {
  Inspection look(object(mat));
  Parts rows, columns;
  look.gather([&](Findings& findings) {
    const std::vector<NestBlock> blocks = blocks_of_nest(mat);
    const Sets sets = sets_of(mat, blocks);
    PetscInt size = 0, width = 0, first = 0, last = 0, first_column = 0, last_column = 0;
    call("MatGetSize", MatGetSize, mat, &size, &width);
    call("MatGetOwnershipRange", MatGetOwnershipRange, mat, &first, &last);
    call("MatGetOwnershipRangeColumn", MatGetOwnershipRangeColumn, mat, &first_column,
         &last_column);
    look_for_empty_rows(mat, blocks, findings);
    rows.gather(sets.rows, {first, last}, size, words_of("row"), look.call());
    columns.gather(sets.columns, {first_column, last_column}, width, words_of("column"),
                   look.call());
  });
  return look.conclude(rows, columns);
}

void for_each_part(Vec vec, const std::function<void(Vec, const std::string&)>& visit) {
  if (!is_set_up(vec) || !is_one_of(object(vec), {VECNEST})) return visit(vec, "");
  PetscInt count = 0;
  Vec* parts = nullptr;
  // PETSc takes the Vec for changed when it gives its parts.
  const PetscObjectState state = object_state(object(vec));
  call("VecNestGetSubVecs", VecNestGetSubVecs, vec, &count, &parts);
  set_object_state(object(vec), state);
  for (PetscInt i = 0; i < count; ++i)
    for_each_part(parts[i], [&](Vec part, const std::string& name) {
      visit(part, "block " + std::to_string(i) + (name.empty() ? "" : ", " + name));
    });
}

}  // namespace daptor::petsc::detail
