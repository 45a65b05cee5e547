// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace daptor::petsc::plugin {

/// The value of an option of the whole program; nullopt if it is not given, empty if it has no
/// value. Process-local.
std::optional<std::string> program_option(const char* name);

/// Whether such an option is given and true, in PETSc's words: without a value, `yes`, `0`.
/// Process-local.
bool program_flag(const char* name);

}  // namespace daptor::petsc::plugin
