// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/session.hpp"

namespace daptor::cli {

/// The command `daptor`, perhaps in the process of an interpreter, with all its subcommands. Not
/// movable: callbacks refer to it.
class CommandLine {
 public:
  explicit CommandLine(Interpreter* interpreter = nullptr);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Reads the arguments, runs the subcommand, and returns the exit status. Never throws.
  int run(int argc, const char* const* argv) noexcept;

 private:
  int parse(int argc, const char* const* argv);

  CLI::App app_;
  Action action_;
  Host host_;
};

}  // namespace daptor::cli
