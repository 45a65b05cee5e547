// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/sound.hpp"
#include "daptor/petsc/check.hpp"

/// \file
/// The checks of PETSc's objects as assertions, for a project's own tests with GoogleTest:
///
/// \code
/// #include <daptor/petsc/gtest.hpp>
///
/// TEST(Flow, Matrix) {
///   const Mat A = assemble(mesh);
///   DAPTOR_EXPECT_SOUND(A);  // on all ranks
/// }
/// \endcode
///
/// DAPTOR_EXPECT_SOUND and DAPTOR_ASSERT_SOUND take the arguments of `daptor::petsc::check`.

namespace daptor::checks {
using petsc::check;
}
