// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

/// \file
/// How a subcommand is added to `daptor`: a function `void add_NAME(CLI::App& daptor, Action&
/// action)` adds the subcommand with its options, and its callback sets `action`, which runs after
/// the whole command line has been read.

namespace daptor::cli {

/// The work of a subcommand. Returns the exit status. May throw a daptor::Error or any other
/// exception, which is reported as one sentence on standard error.
using Action = std::function<int()>;

/// How `--help` shows an argument that is a file.
inline const char* const file_argument = "FILE";

/// The words of `table` joined by `|`.
template <class T>
std::string choices(const std::vector<std::pair<std::string, T>>& table) {
  std::string text;
  for (const auto& [word, value] : table) text += (text.empty() ? "" : "|") + word;
  return text;
}

/// An option `name` whose argument is one of the words of `table`.
template <class T>
CLI::Option* add_choice(CLI::App& app, const std::string& name, T& value,
                        const std::vector<std::pair<std::string, T>>& table,
                        const std::string& description) {
  const auto take = [&value, table, name](const std::string& word) {
    for (const auto& [known, meant] : table) {
      if (known != word) continue;
      value = meant;
      return;
    }
    throw CLI::ValidationError(name, "'" + word + "' is none of " + choices(table));
  };
  return app.add_option_function<std::string>(name, take, description)->type_name(choices(table));
}

}  // namespace daptor::cli
