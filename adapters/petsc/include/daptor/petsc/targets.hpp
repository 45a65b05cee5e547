// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/petsc/config.hpp"

namespace daptor::petsc {

/// Adds the targets of this adapter to those that `daptor::explain` asks. The adapter calls this
/// itself when it is loaded. A program that uses no other function of the adapter must call it, so
/// that the linker keeps the library. Process-local; it may be called repeatedly. Always returns
/// true.
/// | target | call | holds |
/// | --- | --- | --- |
/// | `petsc.vec` | `import_vec` | the owned part, one contiguous run |
/// | `petsc.local-vec` | `import_padded_vec` | the whole section, padding included |
/// | `petsc.dmda` | `import_dmda`, `global()` | the owned part of an n-d block array |
/// | `petsc.dmda-local` | `import_dmda`, `local()` | the padded section of an n-d block array |
/// | `petsc.dense` | `import_dense` | columns of a slowest varying undistributed dimension |
/// | `petsc.scalapack` | `import_scalapack` | a matrix in blocks dealt to a grid |
///
/// For arrays that a target cannot hold, `copy_to_vec`, `copy_to_padded_vec` and `copy_to_dmda`
/// make copies; for a dense Mat, call `redistributed` first.
bool register_targets();

}  // namespace daptor::petsc
