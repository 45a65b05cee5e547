// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <petscmat.h>
#include <petscvec.h>

#include "daptor/buffer.hpp"

/// \file
/// For adapters that join PETSc with another library: the shared state behind exported objects.

namespace daptor::petsc::detail {

/// The shared state of an exported Vec: if Daptor made the Vec, that of the array from which it was
/// imported; if an earlier export still lives, that of the export; otherwise a new one, which holds
/// a reference to the Vec. `memory` is the present address of its values.
std::shared_ptr<SharedState> state_of(Vec vec, const void* memory);
std::shared_ptr<SharedState> state_of(Mat mat, const void* memory);
/// The same if the state exists already, otherwise null. Used to notify the others of a write.
std::shared_ptr<SharedState> known_state_of(Vec vec, const void* memory);

/// The Vec that was exported with this state; null if the memory does not belong to a Vec.
Vec vec_behind(SharedState& state);

/// The present address of the values, read by a Get/Restore pair that does not change the object's
/// state.
const void* memory_of(Vec vec);
const void* memory_of(Mat mat);

}  // namespace daptor::petsc::detail
