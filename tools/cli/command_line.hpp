// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/command.hpp"

namespace daptor::cli {

/// The command `daptor` with all its subcommands. Not movable: callbacks refer to it.
class CommandLine {
 public:
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Reads the arguments, runs the subcommand, and returns the exit status. Never throws.
  int run(int argc, const char* const* argv) noexcept;

 private:
  int parse(int argc, const char* const* argv);

  CLI::App app_;
  Action action_;
};

}  // namespace daptor::cli
