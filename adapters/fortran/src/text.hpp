// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/report.hpp"

namespace daptor::fortran {

/// `text` with dimensions counted as Fortran counts them: "dimension 0" becomes "dimension 1".
std::string in_fortran(const std::string& text);
/// The finding as a sentence, in Fortran's terms.
std::string in_fortran(const Finding& finding);
/// All findings, one per line, and the verdict.
std::string in_fortran(const Report& report);

}  // namespace daptor::fortran
