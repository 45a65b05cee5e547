// SPDX-License-Identifier: BSD-3-Clause
#include "vec_values.hpp"

#include "daptor/petsc/adapter/call.hpp"
#include "objects.hpp"

namespace daptor::petsc::detail {

VecValues::VecValues(Vec vec) : vec_(vec) {
  readable_ = is_set_up(vec) && is_one_of(object(vec), {VECSEQ, VECMPI, VECSHARED});
  if (!readable_) return;
  count_ = static_cast<std::size_t>(local_size(vec));
  call("VecGetArrayRead", VecGetArrayRead, vec, &values_);
}

VecValues::~VecValues() {
  if (readable_) static_cast<void>(VecRestoreArrayRead(vec_, &values_));
}

}  // namespace daptor::petsc::detail
