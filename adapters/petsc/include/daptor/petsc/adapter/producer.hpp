// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <petscmat.h>
#include <petscvec.h>

#include "daptor/buffer.hpp"

/// \file
/// For adapters that join PETSc with another library: the shared state behind exported objects.

namespace daptor::petsc::detail {

/// The shared state of an exported Vec: of what it was imported from where Daptor has made it, of
/// its earlier exports where they still live, or a new one, which holds a reference of the Vec.
/// `memory` is where its values start now.
std::shared_ptr<SharedState> state_of(Vec vec, const void* memory);
std::shared_ptr<SharedState> state_of(Mat mat, const void* memory);
/// The same where there is one already, else null: whom to tell of a write.
std::shared_ptr<SharedState> known_state_of(Vec vec, const void* memory);

/// The Vec that was exported with this state; null for memory that is not a Vec's own.
Vec vec_behind(SharedState& state);

/// Where the values are now, taken and given back; the state of the object stays as it is.
const void* memory_of(Vec vec);
const void* memory_of(Mat mat);

}  // namespace daptor::petsc::detail
