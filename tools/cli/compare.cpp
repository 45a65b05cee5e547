// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <ostream>
#include <string>

#include "cli/commands.hpp"
#include "cli/launch.hpp"
#include "cli/output.hpp"
#include "compare/compare.hpp"

namespace daptor::cli {
namespace {

struct CompareOptions {
  std::string one, other;
  compare::Options how;
  double rtol = 0;
  bool json = false;
  OutputOptions output;
};

int compare_files(CompareOptions options) {
  constexpr int same = 0, differs = 1;
  if (options.rtol > 0) options.how.rtol = options.rtol;
  const compare::Trace one = compare::read_trace(options.one);
  const compare::Trace other = compare::read_trace(options.other);
  const compare::Comparison comparison = compare::compare(one, other, options.how);
  deliver(options.output.file, [&](std::ostream& out) {
    if (options.json || options.output.format == Format::json)
      compare::write_json(out, comparison);
    else
      compare::write_text(out, comparison, wants_color(options.output));
  });
  return comparison.differs() ? differs : same;
}

}  // namespace

void add_compare(CLI::App& daptor, Action& action) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = daptor.add_subcommand(
      "compare", "Name the first event at which two runs of a program differ beyond rounding");
  command->footer(
      "Traces are written by -daptor_check_trace FILE in any PETSc program, and by "
      "daptor::Tracing.\n\nExit status: 0 the same, 1 different, 2 not to be compared.\n\n"
      "Example:\n  daptor compare one.json three.json");
  command->add_option("one", options->one, "The trace of one run")
      ->required()
      ->type_name(file_argument);
  command->add_option("other", options->other, "That of another run, as on other ranks")
      ->required()
      ->type_name(file_argument);
  command
      ->add_option("--level", options->how.level,
                   "1: the program's own events, 2: those within solves, too (default: 1)")
      ->check(CLI::Range(1, 2));
  command
      ->add_option("--rtol", options->rtol,
                   "Part of the magnitudes by which numbers may differ (default: rounding alone)")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", options->json, "The same as --format json");
  add_output_options(*command, options->output, Formats::text_json);
  command->callback([options, &action] {
    action = [options] {
      return once(by(options->output.file), [&] { return compare_files(*options); });
    };
  });
}

}  // namespace daptor::cli
