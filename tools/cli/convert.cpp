// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/judge.hpp"
#include "cli/output.hpp"
#include "cli/say.hpp"
#include "daptor/parse.hpp"
#include "daptor/rules.hpp"

namespace daptor::cli {
namespace {

struct ConvertOptions {
  std::string path;
  Version version = protocol_0_10;
  std::string output;
};

/// The difference between the versions (V10) of which a finding is one form (P16).
std::string difference_of(const std::string& rule) {
  for (const protocol::Rule& each : protocol::rules())
    if (each.kind == protocol::RuleKind::version &&
        each.reported_as.find(rule) != std::string_view::npos)
      return std::string(each.id);
  return rule;
}

/// Throws Refused with the rule that stands in the way.
[[noreturn]] void refuse_conversion(const ConvertOptions& options, const Finding& reason) {
  throw Refused(subject_of(options.path) + " cannot be converted to " + options.version.text() +
                    ": " + sentence(reason),
                report::Status::malformed);
}

/// Rewrites the description of each rank for the other version.
void convert_ranks(const ConvertOptions& options, std::vector<Section>& arrays) {
  for (std::size_t rank = 0; rank < arrays.size(); ++rank) {
    try {
      arrays[rank] = convert(arrays[rank], options.version);
    } catch (const NotRepresentable& refusal) {
      Finding reason = refusal.finding();
      reason.ranks = {static_cast<int>(rank)};
      reason.rank_count = 1;
      refuse_conversion(options, reason);
    }
  }
}

/// Judges all ranks together again, since the other version may have stricter rules.
void require_still_conforming(const ConvertOptions& options, const Recorded& result) {
  const Report report = judge(result, {Level::full, Profile::recommended});
  const Finding* error = report.first_error();
  if (error == nullptr) return;
  Finding reason = *error;
  reason.rule = difference_of(reason.rule);
  reason.remedy = protocol::find_rule(reason.rule)->remedy;
  refuse_conversion(options, reason);
}

int convert_file(const ConvertOptions& options) {
  ConformingArray array = read_conforming(options.path);
  convert_ranks(options, array.ranks);
  const Recorded result = record(array.name, array.ranks);
  require_still_conforming(options, result);
  deliver(options.output, [&](std::ostream& out) { write_recorded(out, result); });
  return static_cast<int>(report::Status::done);
}

}  // namespace

void add_convert(CLI::App& daptor, Action& action) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* convert =
      daptor.add_subcommand("convert", "Write an array in the words of another protocol version");
  convert->footer("Example:\n  daptor convert --to 0.10.0 array.json --output new.json");
  convert->add_option("file", options->path, "A file in Daptor's JSON format; - is standard input")
      ->required()
      ->type_name(file_argument);
  add_choice(*convert, "--to", options->version,
             {{"0.9.0", protocol_0_9}, {"0.10.0", protocol_0_10}}, "Version to write")
      ->required();
  add_output_file(*convert, options->output);
  convert->callback([options, &action] {
    action = [options] {
      return once(by(options->output, {options->path}), [&] { return convert_file(*options); });
    };
  });
}

}  // namespace daptor::cli
