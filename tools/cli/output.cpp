// SPDX-License-Identifier: BSD-3-Clause
#include "cli/output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <system_error>

#include "cli/launch.hpp"
#include "daptor/error.hpp"

namespace daptor::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

[[noreturn]] void cannot_write(const std::string& file) {
  const std::string reason = errno != 0 ? std::generic_category().message(errno) : "unknown reason";
  throw InvalidArgument("", file + " cannot be written: " + reason, "a place with room");
}

}  // namespace

CLI::Option* add_output_file(CLI::App& app, std::string& file) {
  return app.add_option("-o,--output", file, "Write to this file (default: standard output)")
      ->type_name(file_argument);
}

void add_output_options(CLI::App& app, OutputOptions& options, Formats formats) {
  std::vector<std::pair<std::string, Format>> known = {{"text", Format::text}};
  if (formats != Formats::text_junit_sarif) known.emplace_back("json", Format::json);
  if (formats != Formats::text_json) known.emplace_back("junit", Format::junit);
  if (formats == Formats::text_junit_sarif) known.emplace_back("sarif", Format::sarif);
  add_choice(app, "-f,--format", options.format, known, "Form of the result (default: text)");
  add_choice(app, "--color", options.color,
             {{"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}},
             "Colours in text; auto: on a terminal, unless NO_COLOR is set (default: auto)");
  add_output_file(app, options.file);
}

By by(const std::string& output, const std::vector<std::string>& inputs) {
  const bool reads = std::find(inputs.begin(), inputs.end(), "-") != inputs.end();
  return reads || !output.empty() ? By::first : By::each;
}

bool wants_color(const OutputOptions& options) {
  if (options.color != Color::automatic) return options.color == Color::always;
  const bool refused =
      !environment("NO_COLOR").empty() || environment("TERM") == "dumb" || launched();
  return !refused && options.file.empty() && isatty(STDOUT_FILENO) == 1;
}

void deliver(const std::string& file, const std::function<void(std::ostream&)>& write) {
  errno = 0;
  if (file.empty()) {
    write(std::cout);
    std::cout.flush();
    if (!std::cout) cannot_write("standard output");
    return;
  }
  std::ofstream out(file, std::ios::binary);
  if (out) write(out);
  out.close();
  if (!out) cannot_write(file);
}

}  // namespace daptor::cli
