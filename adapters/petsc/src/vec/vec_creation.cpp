// SPDX-License-Identifier: BSD-3-Clause
#include "vec_creation.hpp"

#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "numbers.hpp"
#include "petsc/src/native/locks.hpp"

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

namespace {

/// Collective. PETSc's numbers of the ghosts, in blocks.
std::vector<PetscInt> ghost_numbers(const DistArray& array, Index block, Call& call) {
  const std::vector<Index> numbers = local_numbers(array, Numbering::contiguous, call);
  return call.check([&] {
    std::vector<PetscInt> ghosts;
    for (Index i = array.owned_count(); i < array.local_count(); i += block)
      ghosts.push_back(petsc_int(numbers[static_cast<std::size_t>(i)] / block));
    return ghosts;
  });
}

}  // namespace

Vec create_ghosted_vec(const DistArray& array, PetscInt block, Index global_count, Call& call) {
  const std::vector<PetscInt> ghosts = ghost_numbers(array, block, call);
  const auto count = petsc_int(static_cast<Index>(ghosts.size()));
  const auto* const values = static_cast<const PetscScalar*>(array.data());
  const Comm& comm = call.comm();
  Vec vec = nullptr;
  if (block == 1)
    call.library(Routine("VecCreateGhostWithArray", VecCreateGhostWithArray), comm->original(),
                 petsc_int(array.owned_count()), petsc_int(global_count), count, ghosts.data(),
                 values, &vec);
  else
    call.library(Routine("VecCreateGhostBlockWithArray", VecCreateGhostBlockWithArray),
                 comm->original(), block, petsc_int(array.owned_count()), petsc_int(global_count),
                 count, ghosts.data(), values, &vec);
  return vec;
}

void attach_local_form(Vec vec, Attachment& attachment) {
  Vec local = nullptr;
  call("VecGhostGetLocalForm", VecGhostGetLocalForm, vec, &local);
  attachment.add_inner(object(local));
  call("VecGhostRestoreLocalForm", VecGhostRestoreLocalForm, vec, &local);
  attachment.set_ghosted();
}

Vec create_local_vec(const Section& array, PetscInt block) {
  Vec vec = nullptr;
  call("VecCreateSeqWithArray", VecCreateSeqWithArray, PETSC_COMM_SELF, block,
       petsc_int(array.local_count()), static_cast<const PetscScalar*>(array.data()), &vec);
  return vec;
}

void tie_vec(const std::shared_ptr<Attachment>& attachment, Vec vec) {
  Attachment::tie(attachment, object(vec));
  if (attachment->locked()) lock_for_reading(vec);
}

std::shared_ptr<Attachment> attach_vec(Vec vec, const DistArray& array, const void* pointer,
                                       bool locked) {
  auto attachment = Attachment::prepare(array, pointer, require_session());
  attachment->set_locked(locked);
  tie_vec(attachment, vec);
  return attachment;
}

}  // namespace daptor::petsc::detail
