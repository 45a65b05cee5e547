// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <petscvec.h>

#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/device.hpp"
#include "petsc/src/native/attachment.hpp"
#include "petsc/src/native/device_memory.hpp"

namespace daptor::petsc::detail {

/// Collective. Makes a Vec on the caller's communicator, of the `local_count` elements that begin
/// at `memory` on each rank: of type `seq` or `mpi`, or what `vecs` makes on memory of a device.
Vec create_global_vec(const void* memory, PetscInt block, Index local_count, Index global_count,
                      Call& call, const DeviceVecs& vecs = host_vecs);
/// Collective. The same with the ghosts of the section, which follow the owned elements in memory.
Vec create_ghosted_vec(const DistArray& array, PetscInt block, Index global_count, Call& call);
/// Process-local. Makes the attachment know the local form of a ghosted Vec, which is a separate
/// Vec on the same memory.
void attach_local_form(Vec vec, Attachment& attachment);
/// Process-local. Makes a sequential Vec of the whole section, which must be contiguous.
Vec create_local_vec(const Section& array, PetscInt block);
/// Process-local. Ties what was prepared to the Vec, and locks the Vec if that says so.
void tie_vec(const std::shared_ptr<Attachment>& attachment, Vec vec);
/// Process-local. Ties the description to the Vec, and locks the Vec if requested.
std::shared_ptr<Attachment> attach_vec(Vec vec, const DistArray& array, const void* pointer,
                                       bool locked);

}  // namespace daptor::petsc::detail
