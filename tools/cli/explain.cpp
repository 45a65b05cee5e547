// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/explain.hpp"
#include "daptor/detail/node_text.hpp"
#include "daptor/simulated.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/judge.hpp"
#include "cli/output.hpp"
#include "cli/python.hpp"
#include "cli/recording.hpp"
#include "cli/say.hpp"
#include "cli/version.hpp"
#include "daptor/call.hpp"
#include "report/explanation.hpp"

namespace daptor::cli {
namespace {

struct ExplainOptions {
  std::string subject;
  std::vector<std::string> targets;
  OutputOptions output;
  SessionOptions session;
};

/// The requested targets, or all. Throws InvalidArgument for a name that no target has.
std::vector<Target> chosen_targets(const std::vector<std::string>& names) {
  const std::vector<Target>& all = registered_targets();
  if (names.empty()) return all;
  std::vector<Target> chosen;
  for (const std::string& name : names) {
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const Target& target) { return target.name == name; });
    if (known != all.end()) {
      chosen.push_back(*known);
      continue;
    }
    std::string list;
    for (const Target& target : all) list += (list.empty() ? "" : ", ") + target.name;
    throw InvalidArgument("target", "no target " + name,
                          list.empty() ? "a build with adapters" : "one of " + list);
  }
  return chosen;
}

Explanation explain_together(const std::vector<Section>& arrays,
                             const std::vector<Target>& targets) {
  Explanation explanation;
  run_simulated(static_cast<int>(arrays.size()), [&](const Comm& comm) {
    Explanation same = explain(arrays[static_cast<std::size_t>(comm.rank())].on(comm), targets);
    if (comm.rank() == 0) explanation = std::move(same);
  });
  return explanation;
}

/// Writes what the targets say, and returns the status.
report::Status deliver_explanation(const ExplainOptions& options, const Explanation& explanation,
                                   const std::vector<Library>& found, Language language) {
  if (explanation.empty()) say("no adapter is here that could hold the array");
  const std::vector<report::TargetVerdict> verdicts = report::in_words_of(language, explanation);
  const report::ExplainedFor held_for{
      found, report::moves_elements(verdicts) ? detail::node_text() : std::string()};
  deliver(options.output.file, [&](std::ostream& out) {
    if (options.output.format == Format::json)
      return report::write_explanation_json(out, options.subject, verdicts, held_for);
    report::write_explanation(out, verdicts, held_for, wants_color(options.output));
  });
  const bool held = std::any_of(explanation.begin(), explanation.end(),
                                [](const Assessment& each) { return each.representable; });
  return held ? report::Status::done : report::Status::not_representable;
}

report::Status explain_array(const ExplainOptions& options, std::vector<Section> arrays) {
  // The arrays of a file have no memory. Give them an address, which is never read, so that targets
  // judge them as arrays with memory.
  alignas(64) static char memory[64];
  for (Section& array : arrays) array = array.with_memory(memory);
  const std::vector<Library> found = libraries();
  for (const Library& library : found)
    if (!library.error.empty()) say(library.error);
  return deliver_explanation(options, explain_together(arrays, chosen_targets(options.targets)),
                             found, Language::cpp);
}

/// Explains the recorded descriptions of a producer, on the rank that has those of all ranks.
report::Status explain_recorded(const ExplainOptions& options, const Recorded& recorded) {
  try {
    return explain_array(options, require_conforming(options.subject, recorded).ranks);
  } catch (const Refused& refused) {
    say(refused.what());
    return refused.status();
  }
}

/// Collective. Explains an array in the interpreter's process, which has the libraries of its
/// adapters.
report::Status explain_here(const ExplainOptions& options, const Session& session) {
  const conformance::Candidate candidate = made(options.session, session);
  Call call(session.ranks, "daptor explain");
  std::optional<conformance::Export> exported;
  call.check([&] { exported.emplace(candidate.describe()); });
  report::Outcome outcome;
  outcome.findings = validate(exported->submission(), session.ranks, {});
  if (const Finding* error = outcome.findings.first_error()) {
    if (session.first()) say(about(options.subject, *error));
    return outcome.status();
  }
  options.session.interpreter()->load_adapters(session);
  const Explanation explanation =
      explain(exported->array().on(session.ranks), chosen_targets(options.targets));
  return call.check([&] {
    return session.first() ? deliver_explanation(options, explanation, {}, Language::python)
                           : report::Status::done;
  });
}

int explain_subject(ExplainOptions& options) {
  const std::string& subject = options.subject;
  const bool in_python = names_python(subject);
  if (in_python) hand_over(options.session);
  if (!in_python && !names_producer(subject))
    return once(by(options.output.file, {subject}), [&] {
      return static_cast<int>(explain_array(options, read_conforming(subject).ranks));
    });
  options.session.producers = {subject};
  if (in_python)
    return run_session(options.session,
                       [&](const Session& session) { return explain_here(options, session); });
  return with_recorded(options.session, [&](const Recorded& recorded) {
    return explain_recorded(options, recorded);
  });
}

}  // namespace

void add_explain(CLI::App& daptor, Action& action, const Host& host) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* explain = daptor.add_subcommand(
      "explain",
      "Say which native objects can hold an array without a copy, and why others cannot");
  explain->footer(
      "Examples:\n"
      "  daptor explain array.json --target petsc.vec\n"
      "  mpirun -n 4 daptor explain ./libgrid.so:make_array");
  explain
      ->add_option(
          "subject", options->subject,
          "A file in Daptor's JSON format (- is standard input), an array in an HDF5 file, "
          "state.h5:NAME, as it was saved, or a producer, "
          "LIBRARY:SYMBOL or, in Python, MODULE:NAME, called on all ranks")
      ->required()
      ->type_name(file_argument);
  explain
      ->add_option("--target", options->targets,
                   "Ask this one only, as petsc.vec; may be given several times")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_session_options(*explain, options->session, host);
  add_output_options(*explain, options->output, Formats::text_json);
  explain->callback(
      [options, &action] { action = [options] { return explain_subject(*options); }; });
}

}  // namespace daptor::cli
