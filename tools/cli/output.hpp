// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "cli/command.hpp"

namespace daptor::cli {

enum class Color { automatic, always, never };
enum class Format { text, json, junit };

/// Where results go, and how they look.
struct OutputOptions {
  Format format = Format::text;
  Color color = Color::automatic;
  std::string file;  ///< empty: standard output
};

enum class Formats { text_json, text_json_junit };

/// `--format`, `--color` and `--output`.
void add_output_options(CLI::App& app, OutputOptions& options, Formats formats);
/// `--output` alone.
void add_output_file(CLI::App& app, std::string& file);

/// True where escape sequences are wanted: asked for, or a terminal without NO_COLOR and no
/// launcher of MPI in between.
bool wants_color(const OutputOptions& options);

/// Calls `write` with standard output, or with `file` opened for it. Throws InvalidArgument where
/// that cannot be opened or takes not all of it.
void deliver(const std::string& file, const std::function<void(std::ostream&)>& write);

}  // namespace daptor::cli
