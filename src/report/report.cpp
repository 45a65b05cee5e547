// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/report.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <tuple>
#include <utility>

#include "daptor/rules.hpp"
#include "report/text.hpp"

namespace daptor {
namespace {

using detail::printable_lines;

auto fields(const Finding& f) {
  return std::tie(f.rule, f.severity, f.ranks, f.rank_count, f.dimension, f.key, f.found,
                  f.expected, f.remedy, f.copy);
}

/// The verdict on an array that has only this error.
Verdict verdict_of(const Finding& error) {
  if (error.rule == rule_producer) return Verdict::producer_failed;
  if (error.rule == rule_unknown_version || error.rule == rule_unknown_distribution ||
      error.rule == rule_unsupported_elements || error.rule == rule_unknown_abi)
    return Verdict::unsupported;
  return Verdict::malformed;
}

void write_ranks(std::ostream& out, const Finding& finding) {
  if (finding.ranks.empty()) return;
  out << (finding.ranks.size() == 1 ? ", rank " : ", ranks ");
  for (std::size_t i = 0; i < finding.ranks.size(); ++i)
    out << (i == 0 ? "" : ", ") << finding.ranks[i];
  const auto named = static_cast<std::int64_t>(finding.ranks.size());
  if (finding.rank_count > named) out << " and " << finding.rank_count - named << " more";
}

}  // namespace

bool operator==(const Finding& a, const Finding& b) {
  return fields(a) == fields(b);
}

Finding error_finding(std::string rule, int dimension, std::string key, Terms found, Terms expected,
                      Terms remedy) {
  Finding finding;
  finding.rule = std::move(rule);
  finding.dimension = dimension;
  finding.key = std::move(key);
  finding.found = std::move(found);
  finding.expected = std::move(expected);
  finding.remedy = std::move(remedy);
  if (finding.remedy.empty())
    if (const protocol::Rule* known = protocol::find_rule(finding.rule))
      finding.remedy = std::string(known->remedy);
  return finding;
}

Terms advice(const Finding& finding) {
  return finding.remedy + sentence(finding.copy, !finding.remedy.empty());
}

std::string to_string(const Finding& finding, const Rendering& rendering) {
  std::ostringstream out;
  out << finding.rule << ' ' << finding.severity;
  write_ranks(out, finding);
  const int shown = finding.dimension + (rendering.language == Language::fortran ? 1 : 0);
  if (finding.dimension >= 0) out << ", dimension " << shown;
  // Any of these fields may quote text from a file, a producer or a library.
  const auto line = [&](const Terms& text) {
    return printable_lines(text.in(rendering, finding.dimension));
  };
  if (!finding.key.empty()) out << ", '" << printable_lines(finding.key) << '\'';
  out << ": found " << line(finding.found);
  if (const std::string text = line(finding.expected); !text.empty()) out << "; expected " << text;
  if (const std::string text = line(advice(finding)); !text.empty()) out << ". " << text;
  return out.str();
}

std::string to_string(const Finding& finding) {
  return to_string(finding, {});
}

std::ostream& operator<<(std::ostream& out, const Finding& finding) {
  return out << to_string(finding);
}

Report::Report(std::vector<Finding> findings) : findings_(std::move(findings)) {}

void Report::add(Finding finding) {
  findings_.push_back(std::move(finding));
}

void Report::append(Report other) {
  findings_.insert(findings_.end(), std::make_move_iterator(other.findings_.begin()),
                   std::make_move_iterator(other.findings_.end()));
}

Verdict Report::verdict() const {
  // Of several errors the most severe kind decides: `producer failed` before `unsupported` before
  // `malformed`. If the version or type is unknown, rules cannot be judged, and a producer that
  // failed has given no description to judge.
  Verdict verdict = Verdict::conforms;
  for (const Finding& finding : findings_)
    if (finding.severity == Severity::error) verdict = std::max(verdict, verdict_of(finding));
  return verdict;
}

const Finding* Report::first_error() const {
  const Verdict decided = verdict();
  const auto found = std::find_if(findings_.begin(), findings_.end(), [&](const Finding& finding) {
    return finding.severity == Severity::error && verdict_of(finding) == decided;
  });
  return found == findings_.end() ? nullptr : &*found;
}

bool Report::has(const std::string& rule) const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [&](const Finding& f) { return f.rule == rule; });
}

std::string to_string(const Report& report, const Rendering& rendering) {
  std::ostringstream out;
  for (const Finding& finding : report.findings()) out << to_string(finding, rendering) << '\n';
  out << report.verdict();
  return out.str();
}

std::ostream& operator<<(std::ostream& out, const Report& report) {
  return out << to_string(report);
}

std::ostream& operator<<(std::ostream& out, Severity severity) {
  switch (severity) {
    case Severity::note:
      return out << "note";
    case Severity::warning:
      return out << "warning";
    case Severity::error:
      return out << "error";
  }
  return out;
}

std::ostream& operator<<(std::ostream& out, Verdict verdict) {
  switch (verdict) {
    case Verdict::conforms:
      return out << "conforms";
    case Verdict::malformed:
      return out << "malformed";
    case Verdict::unsupported:
      return out << "unsupported";
    case Verdict::producer_failed:
      return out << "producer failed";
  }
  return out;
}

}  // namespace daptor
