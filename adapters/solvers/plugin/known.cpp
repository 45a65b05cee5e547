// SPDX-License-Identifier: BSD-3-Clause
#include "known.hpp"

#include <petscdm.h>

#include "daptor/petsc/adapter/call.hpp"

namespace daptor::solvers::plugin {
namespace {

using petsc::detail::call;

constexpr const char* of_operator = " (of the operator)";

PetscInt global_rows(Mat matrix) {
  PetscInt rows = 0;
  call("MatGetSize", MatGetSize, matrix, &rows, nullptr);
  return rows;
}

/// The operator, if it is another matrix with as many rows; otherwise null.
Mat operator_beside(PC pc) {
  Mat applied = nullptr;
  Mat matrix = nullptr;
  call("PCGetOperators", PCGetOperators, pc, &applied, &matrix);
  if (applied == nullptr || applied == matrix || global_rows(applied) != global_rows(matrix))
    return nullptr;
  return applied;
}

void take_from_operator(Mat applied, Known& known) {
  const Attached beside = attached_to(applied);
  Attached& attached = known.attached;
  if (attached.block_size == 1 && beside.block_size > 1) {
    attached.block_size = beside.block_size;
    known.block_size_from = of_operator;
  }
  if (attached.near_null_space == nullptr && beside.near_null_space != nullptr) {
    attached.near_null_space = beside.near_null_space;
    known.near_null_from = of_operator;
  }
  if (attached.null_space == nullptr) attached.null_space = beside.null_space;
}

bool has_rows(MatNullSpace space, PetscInt rows) {
  PetscInt count = 0;
  PetscInt length = 0;
  const Vec* vectors = nullptr;
  call("MatNullSpaceGetVecs", MatNullSpaceGetVecs, space, nullptr, &count, &vectors);
  if (count == 0) return false;
  call("VecGetSize", VecGetSize, vectors[0], &length);
  return length == rows;
}

/// The near-null space that a program has composed with the first field of a DM; null if none.
MatNullSpace near_null_space_of(DM dm) {
  PetscInt fields = 0;
  call("DMGetNumFields", DMGetNumFields, dm, &fields);
  if (fields == 0) return nullptr;
  PetscObject field = nullptr;
  PetscObject space = nullptr;
  call("DMGetField", DMGetField, dm, PetscInt(0), nullptr, &field);
  call("PetscObjectQuery", PetscObjectQuery, field, "nearnullspace", &space);
  return reinterpret_cast<MatNullSpace>(space);
}

void take_from_dm(PC pc, Mat matrix, Known& known) {
  DM dm = nullptr;
  call("PCGetDM", PCGetDM, pc, &dm);
  if (dm == nullptr) call("MatGetDM", MatGetDM, matrix, &dm);
  if (dm == nullptr) return;
  MatNullSpace space = near_null_space_of(dm);
  if (space == nullptr || !has_rows(space, global_rows(matrix))) return;
  known.attached.near_null_space = space;
  known.near_null_from = " (of the DM)";
}

}  // namespace

Known known_to(PC pc) {
  Known known;
  Mat matrix = nullptr;
  call("PCGetOperators", PCGetOperators, pc, nullptr, &matrix);
  known.attached = attached_to(matrix);
  if (Mat applied = operator_beside(pc); applied != nullptr) take_from_operator(applied, known);
  if (known.attached.near_null_space == nullptr) take_from_dm(pc, matrix, known);
  return known;
}

}  // namespace daptor::solvers::plugin
