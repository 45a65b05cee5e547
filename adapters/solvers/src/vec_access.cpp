// SPDX-License-Identifier: BSD-3-Clause
#include "vec_access.hpp"

#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/adapter/call.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::check;

void require_local_count(Vec vec, Index expected) {
  PetscInt found = 0;
  check(VecGetLocalSize(vec, &found), "VecGetLocalSize");
  if (found != expected)
    throw InvalidArgument("vec", "a Vec of local length " + std::to_string(found),
                          "the local length of the operator, " + std::to_string(expected));
}

[[noreturn]] void refuse_device() {
  throw NotRepresentable(adapter::reason(
      "petsc.vec.device", "a Vec in memory of a device", "memory that the host can reach",
      "Use a Vec of type standard: -vec_type standard, -dm_vec_type standard."));
}

}  // namespace

ReadArray::ReadArray(Vec vec, Index local_count) : vec_(vec) {
  require_local_count(vec, local_count);
  PetscMemType space = PETSC_MEMTYPE_HOST;
  check(VecGetArrayReadAndMemType(vec, &data_, &space), "VecGetArrayReadAndMemType");
  if (PetscMemTypeHost(space)) return;
  static_cast<void>(VecRestoreArrayReadAndMemType(vec_, &data_));
  refuse_device();
}

ReadArray::~ReadArray() {
  static_cast<void>(VecRestoreArrayReadAndMemType(vec_, &data_));
}

WriteArray::WriteArray(Vec vec, Index local_count) : vec_(vec) {
  require_local_count(vec, local_count);
  PetscMemType space = PETSC_MEMTYPE_HOST;
  check(VecGetArrayWriteAndMemType(vec, &data_, &space), "VecGetArrayWriteAndMemType");
  if (PetscMemTypeHost(space)) return;
  static_cast<void>(VecRestoreArrayWriteAndMemType(vec_, &data_));
  refuse_device();
}

WriteArray::~WriteArray() {
  static_cast<void>(VecRestoreArrayWriteAndMemType(vec_, &data_));
}

}  // namespace daptor::solvers
