// SPDX-License-Identifier: BSD-3-Clause
#include "cli/describe.hpp"

#include <sstream>

#include "daptor/rules.hpp"

namespace daptor::cli {
namespace {

OptionDescription describe_option(const CLI::Option& option) {
  OptionDescription result;
  for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
  const bool flag = option.get_items_expected_max() == 0;
  if (!flag) result.argument = option.get_type_name();
  result.text = option.get_description();
  result.required = option.get_required();
  result.repeated = option.get_expected_max() > 1;
  return result;
}

CommandDescription describe_command(const CLI::App& app, bool is_root) {
  CommandDescription result;
  if (!is_root) result.name = app.get_name();
  result.text = app.get_description();
  result.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options())
    result.options.push_back(describe_option(*option));
  return result;
}

}  // namespace

std::vector<std::string> OptionDescription::words() const {
  std::vector<std::string> words;
  if (argument == rule_argument)
    for (const protocol::Rule& rule : protocol::rules()) words.emplace_back(rule.id);
  if (argument.find('|') == std::string::npos) return words;
  std::istringstream list(argument);
  for (std::string word; std::getline(list, word, '|');) words.push_back(word);
  return words;
}

std::vector<CommandDescription> describe(const CLI::App& daptor) {
  std::vector<CommandDescription> all = {describe_command(daptor, true)};
  for (const CLI::App* app : daptor.get_subcommands({}))
    all.push_back(describe_command(*app, false));
  return all;
}

}  // namespace daptor::cli
