// SPDX-License-Identifier: BSD-3-Clause
#include "cli/python.hpp"

#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "daptor/error.hpp"

namespace daptor::cli {
namespace {

/// Whether the text is names joined by dots. Bytes beyond ASCII count as letters.
bool dotted_names(std::string_view text) {
  bool at_start = true;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = std::isalpha(byte) != 0 || c == '_' || byte >= 0x80;
    if (c == '.' ? at_start : !letter && (at_start || std::isdigit(byte) == 0)) return false;
    at_start = c == '.';
  }
  return !at_start;
}

bool ends_with(std::string_view name, std::string_view end) {
  return name.size() > end.size() && name.substr(name.size() - end.size()) == end;
}

bool ends_like_a_library(std::string_view name) {
  return ends_with(name, ".so") || ends_with(name, ".dylib") ||
         name.find(".so.") != std::string_view::npos;
}

/// The folder of the package that lies beside this command, in an installation or in a build.
std::string package_folder() {
  std::error_code failure;
  const auto command = std::filesystem::read_symlink("/proc/self/exe", failure).parent_path();
  for (const char* relative : {DAPTOR_CLI_PYTHON, "../python"}) {
    const auto folder = (command / relative).lexically_normal();
    if (std::filesystem::exists(folder / "daptor" / "__main__.py", failure)) return folder.string();
  }
  return {};
}

/// The interpreter that can load the package's modules, which are built for one version of Python.
std::string python_of_the_package() {
  std::error_code failure;
  const char* const environment = std::getenv("VIRTUAL_ENV");
  if (environment != nullptr && *environment != '\0') {
    const auto own = std::filesystem::path(environment) / "bin" / DAPTOR_CLI_PYTHON_NAME;
    if (std::filesystem::exists(own, failure)) return own.string();
  }
  if (std::filesystem::exists(DAPTOR_CLI_PYTHON_PROGRAM, failure)) return DAPTOR_CLI_PYTHON_PROGRAM;
  return "python3";
}

}  // namespace

bool names_python(const std::string& subject) {
  const auto colon = subject.find(':');
  if (colon == std::string::npos) return false;
  const std::string module = subject.substr(0, colon);
  if (ends_with(module, ".py")) return true;
  std::error_code ignored;
  const bool file = std::filesystem::exists(subject, ignored) ||
                    std::filesystem::is_regular_file(module, ignored);
  return !file && !ends_like_a_library(module) && dotted_names(module) &&
         dotted_names(std::string_view(subject).substr(colon + 1));
}

void hand_over(const SessionOptions& options) {
  if (options.interpreter() != nullptr) return;
  const std::string python = options.python.empty() ? python_of_the_package() : options.python;
  const std::string folder = package_folder();
  if (!folder.empty()) {
    const char* const others = std::getenv("PYTHONPATH");
    const std::string path = others != nullptr && *others != '\0' ? folder + ':' + others : folder;
    setenv("PYTHONPATH", path.c_str(), 1);
  }
  std::vector<std::string> words = {python, "-m", "daptor"};
  words.insert(words.end(), options.host->words.begin(), options.host->words.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(python.c_str(), pointers.data());
  throw InvalidArgument("python", python + ": " + std::generic_category().message(errno),
                        "a Python that has the package daptor (--python)");
}

}  // namespace daptor::cli
