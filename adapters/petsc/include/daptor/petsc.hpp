// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Distributed arrays as PETSc objects and back, on the same memory.
///
/// \code
/// daptor::DistArray a = daptor::petsc::export_vec(x);  // a PETSc Vec, described
/// auto y = daptor::petsc::import_vec(b);               // an array, as a PETSc Vec
/// KSPSolve(ksp, x, y.get());
/// b.modified();                                        // PETSc wrote: this notifies the others
/// \endcode
///
/// The program must initialize PETSc; Daptor never does. Imports and `close()` are collective over
/// the communicator of the array; exports, `rebind`, accessors and destructors are process-local.
/// Exports return arrays on the communicator of the PETSc object, or of the array that it was
/// imported from. Calls with import or export in their name never copy or allocate element data;
/// calls with copy in their name do. This header includes the core (`daptor/daptor.hpp`), with all
/// that is needed to describe, validate and redistribute arrays.

#include "daptor/daptor.hpp"
#include "daptor/petsc/copy.hpp"
#include "daptor/petsc/csr.hpp"
#include "daptor/petsc/dense.hpp"
#include "daptor/petsc/dense_blocks.hpp"
#include "daptor/petsc/device.hpp"
#include "daptor/petsc/dmda.hpp"
#include "daptor/petsc/numbering.hpp"
#include "daptor/petsc/plugin.hpp"
#include "daptor/petsc/targets.hpp"
#include "daptor/petsc/vec.hpp"
