// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <petscvec.h>

#include "attachment.hpp"
#include "daptor/petsc/adapter/call.hpp"

namespace daptor::petsc::detail {

/// Collective. Makes a Vec of type `seq` or `mpi`, on the caller's communicator, of the
/// `local_count` elements that begin at `memory` on each rank.
Vec create_global_vec(const Comm& comm, const void* memory, PetscInt block, Index local_count,
                      Index global_count);
/// Process-local. Makes a sequential Vec of the whole section, which must be contiguous.
Vec create_local_vec(const Section& array, PetscInt block);
/// Process-local. Ties the description to the Vec, and locks the Vec if requested.
std::shared_ptr<Attachment> attach_vec(Vec vec, const DistArray& array, const void* pointer,
                                       bool locked);

}  // namespace daptor::petsc::detail
