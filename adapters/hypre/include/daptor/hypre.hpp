// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// hypre's vectors as distributed arrays on the same memory, and back. Needs daptor::core.
///
/// \code
/// auto a = daptor::hypre::describe(x);            // x: a HYPRE_ParVector or HYPRE_IJVector; no
/// copy auto y = daptor::hypre::import_vector(b);       // b: an array, such as a Tpetra vector
/// HYPRE_BoomerAMGSolve(amg, A, y.get(), z.get());  // works in the array's memory
/// y.modified();
/// \endcode

#include "daptor/hypre/matrix.hpp"
#include "daptor/hypre/vector.hpp"
