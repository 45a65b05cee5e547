// SPDX-License-Identifier: BSD-3-Clause
#include "cli/judge.hpp"

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <sstream>
#include <utility>
#include <variant>

#include "cli/saved.hpp"
#include "cli/say.hpp"
#include "daptor/error.hpp"
#include "daptor/parse.hpp"
#include "daptor/simulated.hpp"

namespace daptor::cli {
namespace {

std::vector<Submission> submissions(const Recorded& recorded) {
  std::vector<Submission> all;
  all.reserve(recorded.ranks.size());
  for (const RecordedRank& rank : recorded.ranks) all.push_back(submission(rank));
  return all;
}

Report judge_together(const Recorded& recorded, const ValidateOptions& options) {
  if (recorded.nranks > most_ranks)
    throw InvalidArgument("", std::to_string(recorded.nranks) + " ranks in one file",
                          "at most " + std::to_string(most_ranks) +
                              ", each of which takes a stack; check more under mpirun");
  const std::vector<Submission> all = submissions(recorded);
  Report report;
  run_simulated(recorded.nranks, [&](const Comm& comm) {
    Report same = validate(all[static_cast<std::size_t>(comm.rank())], comm, options);
    if (comm.rank() == 0) report = std::move(same);
  });
  return report;
}

/// All ranks, or as many of them as the lists of all ranks have room for: each rank has one while
/// the findings are merged.
int listed_ranks(std::size_t ranks) {
  constexpr std::size_t most_entries = std::size_t{1} << 26;
  return static_cast<int>(std::min(ranks, most_entries / std::max<std::size_t>(ranks, 1)));
}

}  // namespace

void add_profile(CLI::App& app, Profile& profile) {
  add_choice(app, "--profile", profile,
             {{"recommended", Profile::recommended}, {"strict", Profile::strict}},
             "How clauses count that can be read in several ways; strict: warnings are errors "
             "(default: recommended)");
}

void add_judge_options(CLI::App& app, ValidateOptions& options) {
  add_profile(app, options.profile);
  options.level = Level::full;
  add_choice(app, "--level", options.level, {{"metadata", Level::metadata}, {"full", Level::full}},
             "How far to look; full: lists of indices too (default: full)");
}

Recorded read_array(const std::string& path) {
  if (path == "-") return read_recorded(std::cin);
  return names_saved(path) ? read_saved(path) : read_recorded_file(path);
}

Report judge(const Recorded& recorded, ValidateOptions options) {
  options.listed_ranks = listed_ranks(recorded.ranks.size());
  Report report = recorded.partial() ? validate_local(submissions(recorded), options)
                                     : judge_together(recorded, options);
  report.append(recorded.notes);
  return report;
}

std::string subject_of(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

report::Outcome look_at(const std::string& path, const ValidateOptions& options) {
  report::Outcome outcome;
  outcome.subject = subject_of(path);
  try {
    const Recorded recorded = read_array(path);
    outcome.name = recorded.name;
    outcome.ranks = recorded.nranks;
    outcome.judged = static_cast<std::int64_t>(recorded.ranks.size());
    outcome.findings = judge(recorded, options);
  } catch (const InvalidArgument& error) {
    outcome.readable = false;
    outcome.findings = error.report();
  }
  return outcome;
}

std::vector<report::Outcome> look_at_saved(const std::string& path,
                                           const ValidateOptions& options) {
  std::vector<report::Outcome> outcomes;
  try {
    for (adapter::SavedArray& array : saved_arrays(path)) {
      report::Outcome outcome;
      outcome.subject = path;
      outcome.name = array.name;
      outcome.findings = std::move(array.findings);
      if (!array.description.empty()) {
        std::istringstream text(array.description);
        const Recorded recorded = read_recorded(text);
        outcome.ranks = outcome.judged = recorded.nranks;
        outcome.findings.append(judge(recorded, options));
      }
      outcomes.push_back(std::move(outcome));
    }
  } catch (const InvalidArgument& error) {
    outcomes.emplace_back();
    outcomes.back().subject = path;
    outcomes.back().readable = false;
    outcomes.back().findings = error.report();
  }
  return outcomes;
}

ConformingArray require_conforming(const std::string& subject, const Recorded& recorded) {
  report::Outcome outcome;
  outcome.findings = judge(recorded, {Level::full, Profile::recommended});
  if (const Finding* error = outcome.findings.first_error())
    throw Refused(about(subject, *error), outcome.status());
  if (recorded.partial())
    throw Refused(subject + ": " + std::to_string(recorded.ranks.size()) + " of " +
                      std::to_string(recorded.nranks) + " ranks are there, and all are needed",
                  report::Status::unusable);
  ConformingArray array{recorded.name, {}};
  for (const RecordedRank& rank : recorded.ranks)
    array.ranks.push_back(parse_or_throw(std::get<Value>(rank)));
  return array;
}

ConformingArray read_conforming(const std::string& path) {
  const std::string subject = subject_of(path);
  try {
    return require_conforming(subject, read_array(path));
  } catch (const InvalidArgument& error) {
    throw Refused(about(subject, error.finding()), report::Status::unusable);
  }
}

}  // namespace daptor::cli
