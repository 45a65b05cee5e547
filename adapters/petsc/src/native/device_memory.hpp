// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include <petscvec.h>

#include "daptor/buffer.hpp"
#include "daptor/memory_space.hpp"
#include "daptor/petsc/device.hpp"

/// \file
/// Where the values of a Vec are. All functions are process-local. PETSc moves values between the
/// host and a device whenever somebody asks for those that are not valid; these functions ask
/// first.

namespace daptor::petsc::detail {

/// The address and the place of the newest values. If they are in both places, those of the device.
struct Values {
  const void* memory = nullptr;
  MemorySpace space;
  Stream stream = 0;  ///< of PETSc's work on a device
};
/// Moves nothing. Throws LibraryFailed.
Values newest_values(Vec vec);

/// The shared state of an exported Vec, as `state_of` of daptor/petsc/adapter/producer.hpp finds
/// it, for values in any space.
std::shared_ptr<SharedState> state_of(Vec vec, const Values& values);

/// Whether the newest values are in this space, perhaps in the other one too.
bool valid_in(Vec vec, MemorySpace space);

/// \name The array in a space in which the values are valid. The end of a write marks the other
/// space as outdated.
/// \{
PetscErrorCode get_values(Vec vec, MemorySpace space, bool write, PetscScalar** values);
PetscErrorCode restore_values(Vec vec, MemorySpace space, bool write, PetscScalar** values);
/// \}

/// Requires that the newest values are in this space, perhaps in the other one too.
/// @throws Stale, which says how to move them
void require_valid(Vec vec, MemorySpace space);

/// Tells PETSc that the Vec's memory of a device was written, by somebody else or by itself.
/// @throws Stale if PETSc has newer values on the host, which would be lost
void note_device_write(Vec vec);

/// Vecs on memory of the host.
inline constexpr DeviceVecs host_vecs{VecCreateSeqWithArray, VecCreateMPIWithArray};
/// How to make Vecs on memory of a device; `nullopt` if that is not known.
std::optional<DeviceVecs> device_vecs(MemorySpace space);

}  // namespace daptor::petsc::detail
