// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Distributed arrays as PETSc objects and back, on the same memory.
///
/// \code
/// daptor::DistArray a = daptor::petsc::export_vec(x);   // a PETSc Vec, described
/// auto y = daptor::petsc::import_vec(b, comm);          // an array, as a PETSc Vec
/// KSPSolve(ksp, x, y.get());
/// b.modified();                                         // PETSc wrote: the others learn of it
/// \endcode
///
/// PETSc must be initialized by the program; Daptor never does it. Imports and `close()` are
/// collective over the communicator they are given; exports, `rebind`, accessors and destructors
/// are process-local. No call with import or export in its name copies or allocates element data;
/// those with copy in it do. Includes the core (`daptor/daptor.hpp`): describing memory,
/// validation, redistribution and all else that is done with what the adapter hands out.

#include "daptor/daptor.hpp"
#include "daptor/petsc/copy.hpp"
#include "daptor/petsc/csr.hpp"
#include "daptor/petsc/dense.hpp"
#include "daptor/petsc/dmda.hpp"
#include "daptor/petsc/numbering.hpp"
#include "daptor/petsc/targets.hpp"
#include "daptor/petsc/vec.hpp"
