// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/launch.hpp"

namespace daptor::cli {

enum class Color { automatic, always, never };
enum class Format { text, json, junit, sarif };

/// Destination and form of the results.
struct OutputOptions {
  Format format = Format::text;
  Color color = Color::automatic;
  std::string file;  ///< empty: standard output
};

enum class Formats { text_json, text_json_junit, text_junit_sarif };

/// `--format`, `--color` and `--output`.
void add_output_options(CLI::App& app, OutputOptions& options, Formats formats);
/// `--output` alone.
CLI::Option* add_output_file(CLI::App& app, std::string& file);

/// Who does work that writes `output`, a file if it is not empty, and reads `inputs`, of which `-`
/// is standard input.
By by(const std::string& output, const std::vector<std::string>& inputs = {});

/// Whether to write escape sequences: on request, or on a terminal if NO_COLOR is not set and no
/// launcher of MPI runs this process.
bool wants_color(const OutputOptions& options);

/// Calls `write` with standard output, or with `file` opened for writing. Throws InvalidArgument if
/// the file cannot be opened or written completely.
void deliver(const std::string& file, const std::function<void(std::ostream&)>& write);

}  // namespace daptor::cli
