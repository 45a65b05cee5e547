// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

/// \file
/// The command line described, for manual pages and completion.

namespace daptor::cli {

/// An option, or an argument without a name.
struct OptionDescription {
  std::vector<std::string> names;  ///< `-o`, `--output`; empty for an argument without a name
  std::string argument;            ///< `FILE`, `text|json`; empty for a flag
  std::string text;
  bool required = false;
  bool repeated = false;  ///< may be given several times, or takes several values

  bool positional() const { return names.empty(); }
  /// The words that the argument can be; empty if it can be any text.
  std::vector<std::string> words() const;
};

struct CommandDescription {
  std::string name;  ///< empty for `daptor` itself
  std::string text;
  std::string footer;
  std::vector<OptionDescription> options;

  std::string full_name() const { return name.empty() ? "daptor" : "daptor " + name; }
};

/// `daptor` first, then its subcommands in order.
std::vector<CommandDescription> describe(const CLI::App& daptor);

}  // namespace daptor::cli
