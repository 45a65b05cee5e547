// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/adapter/mat_rows.hpp"

#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"

namespace daptor::petsc::detail {

bool is_type(Mat mat, const char* type) {
  PetscBool same = PETSC_FALSE;
  call("PetscObjectBaseTypeCompare", PetscObjectBaseTypeCompare, object(mat), type, &same);
  return same == PETSC_TRUE;
}

std::string type_of(Mat mat) {
  MatType type = nullptr;
  call("MatGetType", MatGetType, mat, &type);
  return type == nullptr ? "" : type;
}

MatBlocks blocks_of(Mat mat) {
  const QuietErrors quiet;
  MatBlocks blocks;
  blocks.own = mat;
  const bool whole = is_type(mat, MATSEQAIJ), divided = !whole && is_type(mat, MATMPIAIJ);
  if (divided) {
    check(MatMPIAIJGetSeqAIJ(mat, &blocks.own, &blocks.other, &blocks.ghosts_of),
          "MatMPIAIJGetSeqAIJ");
  } else if (!whole) {
    const bool divided_blocks = is_type(mat, MATMPIBAIJ);
    if (divided_blocks)
      check(MatMPIBAIJGetSeqBAIJ(mat, &blocks.own, &blocks.other, &blocks.ghosts_of),
            "MatMPIBAIJGetSeqBAIJ");
    if (divided_blocks || is_type(mat, MATSEQBAIJ))
      check(MatGetBlockSize(mat, &blocks.block_size), "MatGetBlockSize");
  }
  if (blocks.other != nullptr)
    check(MatGetLocalSize(blocks.other, nullptr, &blocks.ghosts), "MatGetLocalSize");
  check(MatGetLocalSize(mat, &blocks.rows, &blocks.columns), "MatGetLocalSize");
  check(MatGetSize(mat, &blocks.global_rows, &blocks.global_columns), "MatGetSize");
  check(MatGetOwnershipRange(mat, &blocks.first_row, nullptr), "MatGetOwnershipRange");
  check(MatGetOwnershipRangeColumn(mat, &blocks.first_column, nullptr),
        "MatGetOwnershipRangeColumn");
  return blocks;
}

OpenBlock::OpenBlock(Mat block, BlockAccess access, PetscInt block_size)
    : block_(block), access_(access), size_(block_size) {
  if (block_ == nullptr) return;
  const QuietErrors quiet;
  blocked_ = is_type(block_, MATSEQBAIJ);
  PetscBool done = PETSC_FALSE;
  const PetscInt *starts = nullptr, *columns = nullptr;
  check(MatGetRowIJ(block_, 0, PETSC_FALSE, compressed(), &rows_, &starts, &columns, &done),
        "MatGetRowIJ");
  if (done == PETSC_TRUE) {
    starts_ = starts;
    columns_ = columns;
  } else if (access_ != BlockAccess::columns) {
    throw LibraryFailed("petsc", "MatGetRowIJ", "no access to the row lists of the matrix");
  }
  try {
    if (access_ != BlockAccess::columns) check(exchange_values(true), "MatSeqAIJGetArray");
  } catch (...) {
    close();
    throw;
  }
}

PetscErrorCode OpenBlock::exchange_values(bool open) {
  if (access_ == BlockAccess::read && !blocked_) {
    const PetscScalar* values = values_;
    const PetscErrorCode code =
        open ? MatSeqAIJGetArrayRead(block_, &values) : MatSeqAIJRestoreArrayRead(block_, &values);
    values_ = const_cast<PetscScalar*>(values);
    return code;
  }
  if (blocked_)
    return open ? MatSeqBAIJGetArray(block_, &values_) : MatSeqBAIJRestoreArray(block_, &values_);
  return open ? MatSeqAIJGetArray(block_, &values_) : MatSeqAIJRestoreArray(block_, &values_);
}

void OpenBlock::close() noexcept {
  if (starts_ == nullptr) return;
  const QuietErrors quiet;
  PetscBool done = PETSC_FALSE;
  if (values_ != nullptr) static_cast<void>(exchange_values(false));
  static_cast<void>(
      MatRestoreRowIJ(block_, 0, PETSC_FALSE, compressed(), &rows_, &starts_, &columns_, &done));
}

}  // namespace daptor::petsc::detail
