// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <vector>

#include "cli/describe.hpp"

namespace daptor::cli {

/// \name Scripts that make a shell complete the command line
/// \{
void write_bash_completion(std::ostream& out, const std::vector<CommandDescription>& commands);
void write_zsh_completion(std::ostream& out, const std::vector<CommandDescription>& commands);
/// \}

}  // namespace daptor::cli
