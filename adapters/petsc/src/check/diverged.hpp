// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscksp.h>

#include <optional>

#include "daptor/report.hpp"

namespace daptor::petsc::detail {

/// `check.ksp.diverged`, if the last solve has ended without a solution, and neither an error nor a
/// viewer of the reason was asked for. Process-local; all ranks of the solver say the same.
std::optional<Report> diverged(KSP ksp);

}  // namespace daptor::petsc::detail
