// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscvec.h>

namespace daptor::petsc::plugin::doctor {

/// Has `look` called before the memory of the Vec is freed, in the process and at the time in which
/// VecDestroy frees it. PETSc tells its logging callbacks afterwards, when there are no values any
/// more. Process-local; does nothing for types other than `seq`, `mpi` and `shared`, and for Vecs
/// whose destruction somebody else has changed.
/// @param look  must not throw; the same in all calls. Duplicates of the Vec call it, too.
void before_destruction(Vec vec, void (*look)(Vec));

/// Whether the values of a Vec are in memory of its own, which is there as long as the Vec, and not
/// in memory of the program (VecCreateMPIWithArray, VecPlaceArray), which may be freed before it.
bool owns_values(Vec vec);

/// Whether PETSc has a norm of the Vec in its cache, of any kind.
bool has_cached_norm(Vec vec);

}  // namespace daptor::petsc::plugin::doctor
