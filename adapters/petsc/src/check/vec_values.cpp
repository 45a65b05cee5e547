// SPDX-License-Identifier: BSD-3-Clause
#include "vec_values.hpp"

#include "daptor/petsc/adapter/call.hpp"
#include "object_mappings.hpp"

namespace daptor::petsc::detail {

VecValues::VecValues(Vec vec) : vec_(vec) {
  if (!is_set_up(vec)) return;
  for (const char* type : {VECSEQ, VECMPI, VECSHARED}) {
    PetscBool same = PETSC_FALSE;
    call("PetscObjectTypeCompare", PetscObjectTypeCompare, object(vec), type, &same);
    readable_ = readable_ || same == PETSC_TRUE;
  }
  if (!readable_) return;
  PetscInt count = 0;
  call("VecGetLocalSize", VecGetLocalSize, vec, &count);
  call("VecGetArrayRead", VecGetArrayRead, vec, &values_);
  count_ = static_cast<std::size_t>(count);
}

VecValues::~VecValues() {
  if (readable_) static_cast<void>(VecRestoreArrayRead(vec_, &values_));
}

}  // namespace daptor::petsc::detail
