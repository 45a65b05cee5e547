// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <petscvec.h>

#include "attachment.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/device.hpp"

namespace daptor::petsc::detail {

/// Vecs on memory of the host.
inline constexpr DeviceVecs host_vecs{VecCreateSeqWithArray, VecCreateMPIWithArray};

/// Collective. Makes a Vec on the caller's communicator, of the `local_count` elements that begin
/// at `memory` on each rank: of type `seq` or `mpi`, or what `vecs` makes on memory of a device.
Vec create_global_vec(const void* memory, PetscInt block, Index local_count, Index global_count,
                      Call& call, const DeviceVecs& vecs = host_vecs);
/// Process-local. Makes a sequential Vec of the whole section, which must be contiguous.
Vec create_local_vec(const Section& array, PetscInt block);
/// Process-local. Ties the description to the Vec, and locks the Vec if requested.
std::shared_ptr<Attachment> attach_vec(Vec vec, const DistArray& array, const void* pointer,
                                       bool locked);

}  // namespace daptor::petsc::detail
