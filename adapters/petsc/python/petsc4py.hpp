// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscdm.h>
#include <petscmat.h>
#include <petscvec.h>

#include "communicator.hpp"

namespace daptor::python {

/// Finds petsc4py as the program has started it; PETSc is never started here. Throws
/// InvalidArgument where the program has not imported petsc4py.PETSc, or where that is of a PETSc
/// with other scalars or indices; Finalized after PetscFinalize. Needs the GIL, as all of these.
void require_petsc4py();

/// New petsc4py objects, which take a reference of their own.
py::object to_petsc4py(Vec vec);
py::object to_petsc4py(DM dm);
py::object to_petsc4py(Mat mat);

/// What a petsc4py object stands for; throws InvalidArgument for an object of another type, and for
/// one that was destroyed or never made.
Vec vec_of(py::handle object);
DM dm_of(py::handle object);
Mat mat_of(py::handle object);

/// Throws where an object is neither a Vec nor a DM nor a Mat that exists.
void require_exportable(py::handle object);

/// As vec_of, dm_of and mat_of; null where those throw.
Vec vec_or_null(py::handle object);
DM dm_or_null(py::handle object);
Mat mat_or_null(py::handle object);

/// The communicator of a PETSc object, as users have it where it is of the processes of
/// MPI_COMM_WORLD or of this one alone; else PETSc's own, kept. Process-local once Daptor has a
/// duplicate.
HeldComm communicator_behind(PetscObject object);

}  // namespace daptor::python
