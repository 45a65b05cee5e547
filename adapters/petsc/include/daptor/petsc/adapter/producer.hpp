// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <petscmat.h>
#include <petscvec.h>

#include "daptor/buffer.hpp"

/// \file
/// For adapters that join PETSc with another library: the shared state behind exported objects.

namespace daptor::petsc::detail {

/// The shared state of an exported Vec. If Daptor made the Vec, it is the state of the array from
/// which the Vec was imported; if an earlier export still exists, it is the state of that export;
/// otherwise it is a new one, which holds a reference to the Vec. `memory` is the current address
/// of the Vec's values.
std::shared_ptr<SharedState> state_of(Vec vec, const void* memory);
std::shared_ptr<SharedState> state_of(Mat mat, const void* memory);
/// The same if the state exists already, otherwise null. Used to notify other views of a write.
std::shared_ptr<SharedState> known_state_of(Vec vec, const void* memory);

/// The Vec that was exported with this state; null if the memory does not belong to a Vec.
Vec vec_behind(SharedState& state);

/// The current address of the values, read by a Get/Restore pair that does not change the object's
/// state. For a Vec whose newest values are on a device, the address there.
const void* memory_of(Vec vec);
const void* memory_of(Mat mat);

}  // namespace daptor::petsc::detail
