// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/explain.hpp"
#include "daptor/simulated.hpp"

#include <algorithm>
#include <memory>
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/judge.hpp"
#include "cli/output.hpp"
#include "cli/python.hpp"
#include "cli/recording.hpp"
#include "cli/say.hpp"
#include "cli/version.hpp"
#include "report/paint.hpp"
#include "report/text.hpp"

namespace daptor::cli {
namespace {

using Json = nlohmann::ordered_json;

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
    Explanation same;
    for (const Target& target : targets)
      same.push_back(assess(target, arrays[static_cast<std::size_t>(comm.rank())].on(comm)));
    if (comm.rank() == 0) explanation = std::move(same);
  });
  return explanation;
}

void write_reason(std::ostream& out, const report::Paint& paint, const Finding& reason) {
  out << "    " << paint.faint("because") << "  " << detail::printable(reason.found);
  if (reason.rank() >= 0) out << ", on rank " << reason.rank();
  if (reason.dimension >= 0) out << ", dimension " << reason.dimension;
  out << " (" << reason.rule << ")\n";
  if (!reason.expected.empty())
    out << "    " << paint.faint("needed ") << "  " << reason.expected << '\n';
  if (!reason.remedy.empty())
    out << "    " << paint.faint("do     ") << "  " << reason.remedy << '\n';
}

void write_copy(std::ostream& out, const report::Paint& paint, const Assessment& assessment) {
  if (assessment.copy_call.empty()) return;
  out << "    " << paint.faint("a copy ") << "  " << assessment.copy_call;
  if (assessment.bytes_to_move)
    out << " moves " << *assessment.bytes_to_move << " bytes between processes";
  out << '\n';
  if (!assessment.copy_condition.empty())
    out << "    " << paint.faint("only if") << "  " << assessment.copy_condition << '\n';
}

void write_uses(std::ostream& out, const report::Paint& paint, const Assessment& assessment) {
  for (const UseCost& use : assessment.uses)
    out << "    " << paint.faint("in use ") << "  " << use << '\n';
}

void write_text(std::ostream& out, const Explanation& explanation, bool color) {
  const report::Paint paint(color);
  for (const Assessment& assessment : explanation) {
    out << paint.bold(assessment.target) << ": ";
    if (!assessment.representable) {
      out << paint.bad("no") << '\n';
      for (const Finding& reason : assessment.reasons) write_reason(out, paint, reason);
      write_copy(out, paint, assessment);
      continue;
    }
    out << paint.good("yes") << ", by " << assessment.call;
    if (assessment.bytes_per_index > 0)
      out << "; keeps " << assessment.bytes_per_index << " bytes an index";
    out << '\n';
    write_uses(out, paint, assessment);
  }
}

/// JSON's null for an unknown number.
Json number(int value) {
  return value < 0 ? Json() : Json(value);
}

Json json_of(const Finding& reason) {
  Json json;
  json["rule"] = reason.rule;
  json["rank"] = number(reason.rank());
  json["dimension"] = number(reason.dimension);
  json["found"] = reason.found;
  json["expected"] = reason.expected;
  json["remedy"] = reason.remedy;
  return json;
}

Json json_of(const UseCost& use) {
  Json json;
  json["name"] = use.name;
  json["redistributions"] = use.redistributions;
  json["bytes_to_move"] = use.bytes_to_move ? Json(*use.bytes_to_move) : Json();
  return json;
}

/// What the verdicts hold for: `with PETSc 3.18.5, real double, 32-bit indices; ...`
void write_libraries(std::ostream& out, const std::vector<Library>& libraries) {
  const char* separator = "with ";
  for (const Library& library : libraries) {
    if (!library.has_targets) continue;
    out << separator << library.text();
    separator = "; ";
  }
  out << '\n';
}

void write_json(std::ostream& out, const std::string& subject, const Explanation& explanation,
                const std::vector<Library>& libraries) {
  Json json;
  json["format"] = 1;
  json["subject"] = subject;
  json["libraries"] = Json::object();
  for (const Library& library : libraries) {
    if (!library.has_targets) continue;
    Json& its = json["libraries"][library.name];
    its["built"] = library.built;
    its["found"] = library.found.empty() ? Json() : Json(library.found);
    its["error"] = library.error.empty() ? Json() : Json(library.error);
  }
  json["targets"] = Json::array();
  for (const Assessment& assessment : explanation) {
    Json target;
    target["target"] = assessment.target;
    target["call"] = assessment.call;
    target["representable"] = assessment.representable;
    target["bytes_per_index"] = assessment.bytes_per_index;
    target["copy_call"] = assessment.copy_call.empty() ? Json() : Json(assessment.copy_call);
    target["copy_condition"] =
        assessment.copy_condition.empty() ? Json() : Json(assessment.copy_condition);
    target["bytes_to_move"] = assessment.bytes_to_move ? Json(*assessment.bytes_to_move) : Json();
    target["uses"] = Json::array();
    for (const UseCost& use : assessment.uses) target["uses"].push_back(json_of(use));
    target["reasons"] = Json::array();
    for (const Finding& reason : assessment.reasons) target["reasons"].push_back(json_of(reason));
    json["targets"].push_back(std::move(target));
  }
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

report::Status explain_array(const ExplainOptions& options, std::vector<Section> arrays) {
  // The arrays of a file have no memory. Give them an address, which is never read, so that targets
  // judge them as arrays with memory.
  alignas(64) static char memory[64];
  for (Section& array : arrays) array = array.with_memory(memory);
  const std::vector<Library> found = libraries();
  for (const Library& library : found)
    if (!library.error.empty()) say(library.error);
  const Explanation explanation = explain_together(arrays, chosen_targets(options.targets));
  if (explanation.empty()) say("no adapter is here that could hold the array");
  deliver(options.output.file, [&](std::ostream& out) {
    if (options.output.format == Format::json)
      return write_json(out, options.subject, explanation, found);
    write_text(out, explanation, wants_color(options.output));
    write_libraries(out, found);
  });
  const bool held = std::any_of(explanation.begin(), explanation.end(),
                                [](const Assessment& each) { return each.representable; });
  return held ? report::Status::done : report::Status::not_representable;
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

/// The arguments for the Python package's command, which has the same options.
std::vector<std::string> python_arguments(const ExplainOptions& options) {
  std::vector<std::string> arguments = {"explain", options.subject};
  for (const std::string& target : options.targets) arguments.push_back("--target=" + target);
  if (options.output.format == Format::json) arguments.push_back("--format=json");
  arguments.push_back(wants_color(options.output) ? "--color=always" : "--color=never");
  if (!options.output.file.empty()) arguments.push_back("--output=" + options.output.file);
  return arguments;
}

int explain_subject(ExplainOptions& options) {
  const std::string& subject = options.subject;
  if (names_python(subject)) hand_over(options.session, python_arguments(options));
  if (!names_producer(subject))
    return static_cast<int>(explain_array(options, read_conforming(subject).ranks));
  options.session.producers = {subject};
  return with_recorded(options.session, [&](const Recorded& recorded) {
    return explain_recorded(options, recorded);
  });
}

}  // namespace

void add_explain(CLI::App& daptor, Action& action) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* explain = daptor.add_subcommand(
      "explain",
      "Say which native objects can hold an array without a copy, and why others cannot");
  explain->footer(
      "Examples:\n"
      "  daptor explain array.json --target petsc.vec\n"
      "  mpirun -n 4 daptor explain ./libgrid.so:make_array");
  explain
      ->add_option("subject", options->subject,
                   "A file in Daptor's JSON format (- is standard input), or a producer, "
                   "LIBRARY:SYMBOL or, in Python, MODULE:NAME, called on all ranks")
      ->required()
      ->type_name(file_argument);
  explain
      ->add_option("--target", options->targets,
                   "Ask this one only, as petsc.vec; may be given several times")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_session_options(*explain, options->session);
  add_output_options(*explain, options->output, Formats::text_json);
  explain->callback(
      [options, &action] { action = [options] { return explain_subject(*options); }; });
}

}  // namespace daptor::cli
