// SPDX-License-Identifier: BSD-3-Clause
#include <ostream>
#include <string>
#include <string_view>

#include "cli/completion.hpp"

namespace daptor::cli {
namespace {

/// In single quotes, with a backslash before each of `special`.
std::string quoted(const std::string& text, std::string_view special) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out + "'";
}

/// The completion of the argument: words, or files.
std::string action(const OptionDescription& option) {
  if (option.argument.empty()) return "";
  std::string words;
  for (const std::string& word : option.words()) words += (words.empty() ? "" : " ") + word;
  const bool files = option.argument.find(file_argument) != std::string::npos;
  return ":" + std::string(words.empty() ? option.argument : "") + ":" +
         (!words.empty() ? "(" + words + ")"
          : files        ? "_files"
                         : " ");
}

void write_option(std::ostream& out, const OptionDescription& option) {
  constexpr std::string_view special = "[]:\\";
  out << " \\\n        ";
  if (option.positional()) {
    out << quoted((option.repeated ? "*" : "") + action(option), "");
    return;
  }
  const std::string rest =
      quoted("[", "") + quoted(option.text, special) + quoted("]" + action(option), "");
  if (option.names.size() == 1) {
    out << option.names.front() << rest;
    return;
  }
  std::string all, list;
  for (const std::string& name : option.names) {
    all += (all.empty() ? "" : " ") + name;
    list += (list.empty() ? "" : ",") + name;
  }
  out << "'(" << all << ")'{" << list << '}' << rest;
}

void write_command(std::ostream& out, const CommandDescription& command) {
  out << "    " << command.name << ")\n      _arguments -s";
  for (const OptionDescription& option : command.options) write_option(out, option);
  out << " ;;\n";
}

}  // namespace

void write_zsh_completion(std::ostream& out, const std::vector<CommandDescription>& commands) {
  out << "#compdef daptor\n_daptor() {\n  local -a commands\n  commands=(\n";
  for (const CommandDescription& command : commands)
    if (!command.name.empty())
      out << "    " << quoted(command.name + ":" + command.text, "") << '\n';
  out << "  )\n  if (( CURRENT == 2 )); then\n"
         "    _describe command commands\n    _arguments";
  for (const OptionDescription& option : commands.front().options) write_option(out, option);
  out << "\n    return\n  fi\n  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n";
  for (const CommandDescription& command : commands)
    if (!command.name.empty()) write_command(out, command);
  out << "  esac\n}\n"
         "# Loaded as a file of completions it is the function; read by eval it must be named.\n"
         "if [ \"$funcstack[1]\" = _daptor ]; then\n  _daptor \"$@\"\nelse\n"
         "  compdef _daptor daptor\nfi\n";
}

}  // namespace daptor::cli
