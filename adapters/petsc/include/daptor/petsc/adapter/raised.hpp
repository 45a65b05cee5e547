// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>

/// \file
/// For callers of PETSc: the error of Daptor behind an error of PETSc, which has only its text.

namespace daptor::petsc::detail {

/// The error of Daptor that `raise` last made an error of PETSc on this thread, which is then
/// forgotten. Null if it made one of another exception, or of none.
std::exception_ptr take_raised() noexcept;

}  // namespace daptor::petsc::detail
