// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/adapters.hpp"
#include "cli/commands.hpp"
#include "cli/judge.hpp"
#include "cli/output.hpp"
#include "cli/say.hpp"
#include "daptor/adapter/describer.hpp"
#include "json/recorded.hpp"

namespace daptor::cli {
namespace {

struct DescribeOptions {
  std::string name;
  std::string output;
  /// Arguments that CLI11 does not know: options of the adapter, which is loaded later.
  std::vector<std::string> words;
};

[[noreturn]] void refuse_usage(const std::string& sentence) {
  throw Refused(sentence, report::Status::unusable);
}

/// `--desc NUMBERS --grid ROWSxCOLUMNS`
std::string usage(const Describer& describer) {
  std::string text = "daptor describe " + describer.name;
  for (const Describer::Option& option : describer.options) {
    const std::string one = "--" + option.name + " " + option.argument;
    text += option.required ? " " + one : " [" + one + "]";
  }
  return text;
}

const Describer& find_describer(const std::string& name) {
  std::string known;
  for (const Describer& each : registered_describers()) {
    if (each.name == name) return each;
    known += (known.empty() ? "" : ", ") + each.name;
  }
  refuse_usage("'" + name + "' is nothing that can be described; " +
               (known.empty() ? "no adapter of this build describes anything" : "known: " + known));
}

/// The value of each option, in the order of the options.
std::vector<std::optional<std::string>> arguments_of(const Describer& describer,
                                                     const std::vector<std::string>& words) {
  std::vector<std::optional<std::string>> arguments(describer.options.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    const std::size_t equals = word.find('=');
    const auto option =
        std::find_if(describer.options.begin(), describer.options.end(),
                     [&](const auto& each) { return "--" + each.name == word.substr(0, equals); });
    if (option == describer.options.end())
      refuse_usage("'" + word + "' is no option of: " + usage(describer));
    const bool attached = equals != std::string::npos;
    if (!attached && i + 1 == words.size()) refuse_usage("'" + word + "' lacks its argument");
    arguments[static_cast<std::size_t>(option - describer.options.begin())] =
        attached ? word.substr(equals + 1) : words[++i];
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!arguments[i] && describer.options[i].required)
      refuse_usage("--" + describer.options[i].name + " is missing: " + usage(describer));
  return arguments;
}

report::Status status_of(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::malformed:
      return report::Status::malformed;
    case ErrorKind::unsupported:
      return report::Status::unsupported;
    default:
      return report::Status::unusable;
  }
}

int describe_native(const DescribeOptions& options) {
  for (const AdapterFailure& failure : load_adapters()) say(failure.sentence);
  const Describer& describer = find_describer(options.name);
  std::vector<Section> arrays;
  try {
    arrays = describer.describe(arguments_of(describer, options.words));
  } catch (const Error& error) {
    for (const Finding& finding : error.report().findings()) say(sentence(finding));
    return static_cast<int>(status_of(error));
  }
  deliver(options.output,
          [&](std::ostream& out) { write_recorded(out, record(describer.name, arrays)); });
  return static_cast<int>(report::Status::done);
}

}  // namespace

void add_describe(CLI::App& daptor, Action& action) {
  auto options = std::make_shared<DescribeOptions>();
  CLI::App* describe = daptor.add_subcommand(
      "describe", "Write what a library's own description means, for all ranks, as JSON");
  describe->footer(
      "Each adapter has options of its own for what it describes; without them the command says "
      "which.\n\nExamples:\n  daptor describe NAME\n  daptor describe NAME --OPTION ARGUMENT | "
      "daptor check -");
  describe
      ->add_option("name", options->name,
                   "What is described, by the name that its adapter gives it")
      ->required()
      ->type_name("NAME");
  add_output_file(*describe, options->output);
  describe->allow_extras();
  describe->callback([options, describe, &action] {
    options->words = describe->remaining();
    action = [options] {
      return once(by(options->output), [&] { return describe_native(*options); });
    };
  });
}

}  // namespace daptor::cli
