// SPDX-License-Identifier: BSD-3-Clause
#include "vec_creation.hpp"

#include "daptor/adapter/communicator.hpp"
#include "locks.hpp"

namespace daptor::petsc::detail {

Vec create_global_vec(const void* memory, PetscInt block, Index local_count, Index global_count,
                      Call& call, const DeviceVecs& vecs) {
  const Comm& comm = call.comm();
  const auto* const values = static_cast<const PetscScalar*>(memory);
  const PetscInt local = petsc_int(local_count);
  Vec vec = nullptr;
  if (comm.size() == 1) {
    call.library(Routine("VecCreateSeqWithArray", vecs.create_seq), comm->original(), block, local,
                 values, &vec);
  } else {
    call.library(Routine("VecCreateMPIWithArray", vecs.create_mpi), comm->original(), block, local,
                 petsc_int(global_count), values, &vec);
  }
  return vec;
}

Vec create_local_vec(const Section& array, PetscInt block) {
  Vec vec = nullptr;
  call("VecCreateSeqWithArray", VecCreateSeqWithArray, PETSC_COMM_SELF, block,
       petsc_int(array.local_count()), static_cast<const PetscScalar*>(array.data()), &vec);
  return vec;
}

std::shared_ptr<Attachment> attach_vec(Vec vec, const DistArray& array, const void* pointer,
                                       bool locked) {
  auto attachment = Attachment::attach(object(vec), array, pointer, require_session());
  attachment->set_locked(locked);
  if (locked) lock_for_reading(vec);
  return attachment;
}

}  // namespace daptor::petsc::detail
