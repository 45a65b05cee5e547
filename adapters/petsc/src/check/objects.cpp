// SPDX-License-Identifier: BSD-3-Clause
#include "objects.hpp"

#include <petsc/private/petscimpl.h>

#include <algorithm>
#include <string>

#include "daptor/petsc/adapter/call.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc::detail {
namespace {

bool is_set_up(PetscObject object, PetscLayout layout) {
  const PetscInt* starts = nullptr;
  if (object->type_name != nullptr && layout != nullptr)
    call("PetscLayoutGetRanges", PetscLayoutGetRanges, layout, &starts);
  return starts != nullptr;
}

}  // namespace

bool is_one_of(PetscObject object, std::initializer_list<const char*> types) {
  return std::any_of(types.begin(), types.end(), [&](const char* type) {
    PetscBool same = PETSC_FALSE;
    call("PetscObjectTypeCompare", PetscObjectTypeCompare, object, type, &same);
    return same == PETSC_TRUE;
  });
}

PetscLayout layout_of_vec(Vec vec) {
  PetscLayout layout = nullptr;
  call("VecGetLayout", VecGetLayout, vec, &layout);
  return layout;
}

bool is_set_up(Vec vec) {
  return is_set_up(object(vec), layout_of_vec(vec));
}

bool is_set_up(Mat mat) {
  PetscLayout rows = nullptr, columns = nullptr;
  call("MatGetLayouts", MatGetLayouts, mat, &rows, &columns);
  return is_set_up(object(mat), rows) && is_set_up(object(mat), columns);
}

PetscInt local_size(Vec vec) {
  PetscInt size = 0;
  call("VecGetLocalSize", VecGetLocalSize, vec, &size);
  return size;
}

LocalShape shape_of(Mat mat) {
  LocalShape shape;
  call("MatGetLocalSize", MatGetLocalSize, mat, &shape.rows, &shape.columns);
  return shape;
}

System system_of(KSP ksp) {
  System system;
  // KSPGetOperators makes a Mat where there is none.
  PetscBool has_operators = PETSC_FALSE, has_preconditioning = PETSC_FALSE;
  call("KSPGetOperatorsSet", KSPGetOperatorsSet, ksp, &has_operators, &has_preconditioning);
  if (has_operators == PETSC_TRUE && has_preconditioning == PETSC_TRUE)
    call("KSPGetOperators", KSPGetOperators, ksp, &system.operators, &system.preconditioning);
  call("KSPGetRhs", KSPGetRhs, ksp, &system.rhs);
  call("KSPGetSolution", KSPGetSolution, ksp, &system.solution);
  return system;
}

bool has_length(Vec vec, PetscInt expected, const char* rule, const std::string& what,
                const char* whose, Findings& findings, const char* more) {
  const PetscInt size = local_size(vec);
  if (size == expected) return true;
  findings.error(rule, what + " of " + counted(size, "element", "elements") + " on this rank",
                 std::to_string(expected) + whose,
                 "Make vectors by " + names::function("MatCreateVecs") +
                     ", or with the layout of the matrix." + more);
  return false;
}

}  // namespace daptor::petsc::detail
