// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/sound.hpp"
#include "daptor/tpetra/check.hpp"

/// \file
/// The checks of Tpetra's objects as assertions, for a project's own tests with GoogleTest:
///
/// \code
/// #include <daptor/tpetra/gtest.hpp>
///
/// TEST(Flow, Matrix) {
///   const auto A = assemble(mesh);  // an RCP of a CrsMatrix
///   DAPTOR_EXPECT_SOUND(A);         // on all ranks
/// }
/// \endcode
///
/// DAPTOR_EXPECT_SOUND and DAPTOR_ASSERT_SOUND take the arguments of `daptor::tpetra::check`.

namespace daptor::checks {
using tpetra::check;
}
