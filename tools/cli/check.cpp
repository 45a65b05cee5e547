// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/judge.hpp"
#include "cli/output.hpp"
#include "cli/python.hpp"
#include "cli/saved.hpp"
#include "cli/say.hpp"
#include "cli/session.hpp"
#include "daptor/call.hpp"
#include "daptor/conformance/checks.hpp"
#include "daptor/conformance/plugin.hpp"
#include "report/explanation.hpp"
#include "report/writers.hpp"

namespace daptor::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> subjects;
  ValidateOptions validate;
  bool labels = false;
  bool dlpack = false;
  SessionOptions session;
  OutputOptions output;
};

void write(std::ostream& out, const report::Document& document, const OutputOptions& options) {
  switch (options.format) {
    case Format::text:
      return report::write_text(out, document, wants_color(options));
    case Format::json:
      return report::write_json(out, document);
    default:
      return report::write_junit(out, document);
  }
}

/// Standard error has told of files that could not be read.
void deliver_document(report::Document document, const OutputOptions& options) {
  auto& outcomes = document.outcomes;
  if (options.format == Format::text && options.file.empty())
    outcomes.erase(std::remove_if(outcomes.begin(), outcomes.end(),
                                  [](const report::Outcome& each) { return !each.readable; }),
                   outcomes.end());
  deliver(options.file, [&](std::ostream& out) { write(out, document, options); });
}

/// Adds what is found in a file.
void check_file(const std::string& path, const CheckOptions& options,
                std::vector<report::Outcome>& outcomes) {
  std::vector<report::Outcome> found;
  if (names_saved(path))
    found = look_at_saved(path, options.validate);
  else
    found.push_back(look_at(path, options.validate));
  for (report::Outcome& outcome : found) {
    if (!outcome.readable) say(about(outcome.subject, outcome.findings.findings().front()));
    outcomes.push_back(std::move(outcome));
  }
}

int check_files(const CheckOptions& options) {
  report::Document document{options.validate.profile, options.validate.level};
  for (const std::string& path : options.subjects) check_file(path, options, document.outcomes);
  deliver_document(document, options.output);
  return static_cast<int>(document.status());
}

/// Collective. What is wrong with a producer of a shared library.
Report check_library(const std::string& producer, const Trial& trial, const Session& session) {
  const conformance::Subject subject = watched(producer, session, nullptr);
  const auto labelled = [&subject, &trial](MPI_Comm on) {
    conformance::Candidate candidate = subject.make(on);
    candidate.labelled = trial.labels;
    return candidate;
  };
  return conformance::check(conformance::Subject(labelled), session.comm, {trial.profile});
}

/// Collective. The same of a producer in Python, in its words.
Report check_in_python(const std::string& producer, const Trial& trial, const CheckOptions& options,
                       const Session& session) {
  const Report found = options.session.interpreter()->check(producer, session, trial);
  std::vector<Finding> findings;
  for (const Finding& finding : found.findings())
    findings.push_back(report::in_words_of(Language::python, finding));
  return Report(std::move(findings));
}

/// Collective.
report::Outcome check_producer(const std::string& producer, const CheckOptions& options,
                               const Session& session) {
  report::Outcome outcome;
  outcome.subject = producer;
  outcome.ranks = outcome.judged = session.ranks.size();
  const Trial trial{options.validate.profile, options.labels, options.dlpack};
  outcome.findings = names_python(producer) ? check_in_python(producer, trial, options, session)
                                            : check_library(producer, trial, session);
  session.watch.returned();
  return outcome;
}

/// Collective. The first rank reads the subjects that are files.
report::Status check_all(const CheckOptions& options, const Session& session) {
  report::Document document{options.validate.profile, Level::full};
  for (const std::string& subject : options.subjects) {
    if (names_producer(subject)) {
      document.outcomes.push_back(check_producer(subject, options, session));
    } else if (session.first()) {
      check_file(subject, options, document.outcomes);
    }
  }
  Call(session.ranks, "daptor check").check([&] {
    if (session.first()) deliver_document(document, options.output);
  });
  return document.status();
}

/// How many of the subjects are in Python: all of them or none.
std::size_t count_in_python(const CheckOptions& options) {
  const auto& subjects = options.subjects;
  const auto in_python =
      static_cast<std::size_t>(std::count_if(subjects.begin(), subjects.end(), names_python));
  if (in_python > 0 && in_python < subjects.size())
    throw InvalidArgument("subjects", "producers in Python, and others with them",
                          "those in Python in a command of their own");
  if (options.dlpack && in_python == 0)
    throw InvalidArgument("dlpack", "subjects that are not in Python",
                          "producers in Python, MODULE:NAME");
  return in_python;
}

int check(const CheckOptions& options) {
  std::size_t in_python = 0;
  try {
    in_python = count_in_python(options);
  } catch (const InvalidArgument&) {  // the same on all ranks
    silence_other_ranks();
    throw;
  }
  if (in_python > 0) hand_over(options.session);
  SessionOptions start = options.session;
  std::copy_if(options.subjects.begin(), options.subjects.end(),
               std::back_inserter(start.producers), names_producer);
  if (start.producers.empty())
    return once(by(options.output.file, options.subjects), [&] { return check_files(options); });
  return run_session(start, [&](const Session& session) { return check_all(options, session); });
}

}  // namespace

void add_check(CLI::App& daptor, Action& action, const Host& host) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = daptor.add_subcommand(
      "check", "Say what is wrong with descriptions of arrays, and with those who make them");
  command->footer(
      "Example:\n  daptor check array.json\n  daptor check state.h5\n  mpirun -n 4 daptor check "
      "./libgrid.so:make_array");
  command
      ->add_option(
          "subjects", options->subjects,
          "Files in Daptor's JSON format, which need no MPI (- is standard input), HDF5 files that "
          "Daptor has written, or "
          "producers, LIBRARY:SYMBOL or, in Python, MODULE:NAME, which are called and tried "
          "out on all ranks")
      ->required()
      ->type_name(file_argument);
  add_judge_options(*command, options->validate);
  CLI::Option* const labels =
      command->add_flag("--labels", options->labels,
                        "A producer's elements hold their row-major global numbers: compare them");
  command
      ->add_flag("--dlpack", options->dlpack,
                 "Try out the __dlpack__ and __dlpack_device__ of producers in Python, on each "
                 "rank, in place of __distarray__")
      ->excludes(labels);
  add_session_options(*command, options->session, host);
  add_output_options(*command, options->output, Formats::text_json_junit);
  command->callback([options, &action] { action = [options] { return check(*options); }; });
}

}  // namespace daptor::cli
