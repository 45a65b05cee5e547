#include <memory>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/judge.hpp"
#include "cli/output.hpp"
#include "cli/say.hpp"
#include "report/writers.hpp"

namespace daptor::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> subjects;
  ValidateOptions validate;
  OutputOptions output;
};

void write(std::ostream& out, const report::Document& document, const OutputOptions& options) {
  switch (options.format) {
    case Format::text:
      return report::write_text(out, document, wants_color(options));
    case Format::json:
      return report::write_json(out, document);
    case Format::junit:
      return report::write_junit(out, document);
  }
}

int check_files(const CheckOptions& options) {
  report::Document document{options.validate.profile, options.validate.level};
  for (const std::string& subject : options.subjects) {
    document.outcomes.push_back(look_at(subject, options.validate));
    const report::Outcome& outcome = document.outcomes.back();
    if (!outcome.readable) say(about(outcome.subject, outcome.findings.findings().front()));
  }
  deliver(options.output.file, [&](std::ostream& out) { write(out, document, options.output); });
  return static_cast<int>(document.status());
}

}  // namespace

void add_check(CLI::App& daptor, Action& action) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* check = daptor.add_subcommand("check", "Say what is wrong with descriptions of arrays");
  check->footer("Example:\n  daptor check array.json");
  check
      ->add_option("subjects", options->subjects,
                   "Files in Daptor's JSON format, which need no MPI; - is standard input")
      ->required()
      ->type_name(file_argument);
  add_judge_options(*check, options->validate);
  add_output_options(*check, options->output, Formats::text_json_junit);
  check->callback([options, &action] { action = [options] { return check_files(*options); }; });
}

}  // namespace daptor::cli
