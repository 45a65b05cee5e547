// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <variant>

#include <petscdm.h>
#include <petscis.h>
#include <petscksp.h>
#include <petscmat.h>
#include <petscsf.h>
#include <petscvec.h>

#include "calls/communicator.hpp"

namespace daptor::python {

/// Finds the petsc4py that the program has imported; never starts PETSc. Throws InvalidArgument if
/// the program has not imported petsc4py.PETSc, or if it belongs to a PETSc with other scalars or
/// indices; throws Finalized after PetscFinalize. Needs the GIL, like all functions below.
void require_petsc4py();

/// New petsc4py objects, each with a reference of its own to the PETSc object.
py::object to_petsc4py(Vec vec);
py::object to_petsc4py(DM dm);
py::object to_petsc4py(Mat mat);

/// The PETSc object behind a petsc4py object. Throws InvalidArgument for an object of another type,
/// and for one that was destroyed or never made.
Vec vec_of(py::handle object);
DM dm_of(py::handle object);
Mat mat_of(py::handle object);

/// Throws InvalidArgument unless the object is a Vec, a DM or a Mat that exists.
void require_exportable(py::handle object);

/// Like vec_of, dm_of and mat_of, but null where those throw.
Vec vec_or_null(py::handle object);
DM dm_or_null(py::handle object);
Mat mat_or_null(py::handle object);

/// What the checks look at; a petsc4py Scatter is a PetscSF.
using Checkable = std::variant<Vec, Mat, DM, PetscSF, KSP, IS, ISLocalToGlobalMapping>;

/// The PETSc object behind a petsc4py object; none behind an object of another class. Throws
/// InvalidArgument for one that was destroyed or never made.
std::optional<Checkable> checkable_of(py::handle object);

/// The communicator of a PETSc object: MPI_COMM_WORLD or MPI_COMM_SELF if it has the processes of
/// one of these, otherwise PETSc's own, which is kept alive. Process-local.
HeldComm communicator_behind(PetscObject object);

}  // namespace daptor::python
