#pragma once

#include <petscdm.h>
#include <petscvec.h>

#include "held.hpp"

namespace daptor::python {

/// Finds petsc4py as the program has started it; PETSc is never started here. Throws
/// InvalidArgument where the program has not imported petsc4py.PETSc, or where that is of a PETSc
/// with other scalars or indices. Needs the GIL, as all of these.
void require_petsc4py();

/// New petsc4py objects, which take a reference of their own.
py::object to_petsc4py(Vec vec);
py::object to_petsc4py(DM dm);

/// What a petsc4py object stands for; throws InvalidArgument for an object of another type.
Vec vec_of(py::handle object);
DM dm_of(py::handle object);

}  // namespace daptor::python
