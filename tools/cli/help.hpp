// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace daptor::cli {

/// The arguments; `help check` as `check --help`.
std::vector<std::string> words_of(int argc, const char* const* argv);

/// The subcommand of this name; null if there is none.
const CLI::App* find_command(const CLI::App& daptor, const std::string& name);

/// A phrase about an argument that names no command, and the one that is meant, if it is misspelt.
std::string no_command(const CLI::App& daptor, const std::string& given);

}  // namespace daptor::cli
