// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include "daptor/call.hpp"

/// \file
/// Products with a matrix that PETSc itself computes wrongly, found by trying rather than by the
/// number of a release. `docs/install.md` lists them.

namespace daptor::solvers {

/// Collective over the communicator of the matrix. Throws NotRepresentable
/// (`operator.wrong-product`) on all ranks if PETSc multiplies by this matrix wrongly. Types
/// without a known fault cost nothing; the parts of a MATNEST are looked at one by one.
/// @returns whether PETSc also multiplies by the transpose rightly
bool require_right_product(Mat matrix, Call& call);

}  // namespace daptor::solvers
