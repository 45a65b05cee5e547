// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/call.hpp"

/// \file
/// Options in PETSc's database. Process-local.

namespace daptor::solvers {

/// Whether PETSc would take `word` for the name of an option: "-1" is a value. Throws
/// LibraryFailed.
bool is_option_name(const std::string& word);

/// The options whose names begin with `prefix`, without the prefix: a prefix may differ between
/// ranks (as dolfinx's do) as long as the options are the same. Throws LibraryFailed.
Settings options_under(const std::string& prefix);

}  // namespace daptor::solvers
