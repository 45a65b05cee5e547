// SPDX-License-Identifier: BSD-3-Clause
#include "cli/help.hpp"

#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "read/misspelt.hpp"

namespace daptor::cli {

const CLI::App* find_command(const CLI::App& daptor, const std::string& name) {
  for (const CLI::App* command : daptor.get_subcommands({}))
    if (command->get_name() == name) return command;
  return nullptr;
}

std::string no_command(const CLI::App& daptor, const std::string& given) {
  std::vector<std::string> names;
  for (const CLI::App* command : daptor.get_subcommands({})) names.push_back(command->get_name());
  const std::set<std::string_view> known(names.begin(), names.end());
  const std::string_view meant = parsing::misspelt(given, {}, known);
  std::string text = "there is no command '" + given + "'";
  if (!meant.empty()) text += "; did you mean '" + std::string(meant) + "'?";
  return text;
}

std::vector<std::string> words_of(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words.front() != "help" || words.size() > 2) return words;
  if (words.size() == 2 && words.back().front() == '-') return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

void add_help(CLI::App& daptor, Action&) {
  auto name = std::make_shared<std::string>();
  CLI::App* help = daptor.add_subcommand("help", "Show the help for a command, or this help");
  help->footer("Example:\n  daptor help check");
  help->add_option("command", *name, "A command, as check; none: all of them")
      ->type_name("COMMAND");
  help->callback([name] { throw CLI::CallForHelp(); });
}

}  // namespace daptor::cli
