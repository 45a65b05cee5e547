// SPDX-License-Identifier: BSD-3-Clause
#include <ostream>
#include <string>

#include "cli/completion.hpp"

namespace daptor::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Patterns for the words before the one that is completed: `"check --format" | "check -f"`.
std::string pattern(const CommandDescription& command, const OptionDescription& option) {
  std::string text;
  for (const std::string& name : option.names)
    text += (text.empty() ? "\"" : " | \"") + command.name + ' ' + name + '"';
  return text;
}

void write_arguments(std::ostream& out, const CommandDescription& command) {
  for (const OptionDescription& option : command.options) {
    if (option.positional() || option.argument.empty()) continue;
    out << "    " << pattern(command, option) << ") words='" << joined(option.words()) << "' ;;\n";
  }
}

void write_words(std::ostream& out, const CommandDescription& command) {
  std::string names, values;
  for (const OptionDescription& option : command.options) {
    std::string& list = option.positional() ? values : names;
    list += ' ' + joined(option.positional() ? option.words() : option.names);
  }
  out << "    \"" << command.name << " \"-*) words='" << names << "' ;;\n"
      << "    \"" << command.name << " \"*) words='" << values << "' ;;\n";
}

}  // namespace

/// If no word fits, bash completes file names.
void write_bash_completion(std::ostream& out, const std::vector<CommandDescription>& commands) {
  std::string first;
  for (const OptionDescription& option : commands.front().options)
    first += ' ' + joined(option.names);
  for (const CommandDescription& command : commands) first += ' ' + command.name;
  out << "# bash completion for daptor\n_daptor() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local command=${COMP_WORDS[1]} words=\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W '"
      << first
      << "' -- \"$current\"))\n    return\n  fi\n"
         "  case \"$command $previous\" in\n";
  for (const CommandDescription& command : commands)
    if (!command.name.empty()) write_arguments(out, command);
  out << "    *) case \"$command $current\" in\n";
  for (const CommandDescription& command : commands)
    if (!command.name.empty()) write_words(out, command);
  out << "    esac ;;\n  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n}\n"
         "complete -o default -F _daptor daptor\n";
}

}  // namespace daptor::cli
