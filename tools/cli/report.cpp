// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/judge.hpp"
#include "cli/output.hpp"
#include "json/recorded.hpp"
#include "report/doctor.hpp"

namespace daptor::cli {
namespace {

struct ReportOptions {
  std::string file;
  Severity from = Severity::error;
  std::string root = ".";
  OutputOptions output;
};

report::DoctorReport read(const std::string& path) {
  if (path == "-") return report::read_doctor(std::cin, subject_of(path));
  std::ifstream in = open_json(path);
  return report::read_doctor(in, path);
}

void write(std::ostream& out, const report::DoctorReport& found, const ReportOptions& options) {
  switch (options.output.format) {
    case Format::junit:
      return report::write_doctor_junit(out, found, options.from);
    case Format::sarif:
      return report::write_doctor_sarif(out, found, options.root);
    default:
      return report::write_doctor_text(out, found, options.from, wants_color(options.output));
  }
}

int report_findings(const ReportOptions& options) {
  const report::DoctorReport found = read(options.file);
  deliver(options.output.file, [&](std::ostream& out) { write(out, found, options); });
  return static_cast<int>(found.status(options.from));
}

}  // namespace

void add_report(CLI::App& daptor, Action& action) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = daptor.add_subcommand(
      "report",
      "Show what -daptor_check has found in a PETSc program, for people or build servers");
  command->footer(
      "Exit status: 0 nothing counts, 1 findings, 2 not readable.\n\nExample:\n  daptor report "
      "doctor.json -f sarif -o doctor.sarif");
  command
      ->add_option("file", options->file,
                   "What -daptor_check_report has written (- is standard input)")
      ->required()
      ->type_name(file_argument);
  add_choice(*command, "--severity", options->from,
             {{"error", Severity::error}, {"warning", Severity::warning}, {"note", Severity::note}},
             "Findings from this severity on are failures (default: error)");
  command
      ->add_option("--root", options->root,
                   "In SARIF, files are named from this folder (default: the current one)")
      ->type_name("FOLDER");
  add_output_options(*command, options->output, Formats::text_junit_sarif);
  command->callback([options, &action] {
    action = [options] {
      return once(by(options->output.file, {options->file}),
                  [&] { return report_findings(*options); });
    };
  });
}

}  // namespace daptor::cli
