// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "report/ranks.hpp"
#include "report/writers.hpp"
#include "report/xml.hpp"

namespace daptor::report {
namespace {

/// A test case: its name, and its failures.
struct Case {
  enum class Result { passed, failure, error, skipped };

  std::string name;
  Result result = Result::passed;
  std::string message = {};
  std::string text = {};
};

std::string line_of(const Finding& finding) {
  Finding full = finding;
  full.remedy = remedy_of(finding);
  full.copy = {};
  if (finding.ranks.empty()) return to_string(full);
  full.ranks = {};
  return (finding.rank_count == 1 ? "rank " : "ranks ") +
         folded(finding.ranks, finding.rank_count) + ": " + to_string(full);
}

Case::Result result_of(const Outcome& outcome, const Finding& finding) {
  const bool about_a_rule = outcome.readable && finding.rule != rule_producer;
  return about_a_rule ? Case::Result::failure : Case::Result::error;
}

/// One test case for each rule with errors; all findings of a rule are in one case.
std::vector<Case> failures_of(const Outcome& outcome) {
  std::vector<Case> cases;
  for (const Finding& finding : outcome.findings.findings()) {
    if (finding.severity != Severity::error) continue;
    const auto same = std::find_if(cases.begin(), cases.end(),
                                   [&](const Case& other) { return other.name == finding.rule; });
    if (same != cases.end()) {
      same->text += '\n' + line_of(finding);
    } else {
      const std::string line = line_of(finding);
      cases.push_back({finding.rule, result_of(outcome, finding), line, line});
    }
  }
  return cases;
}

std::vector<Case> cases_of(const Outcome& outcome) {
  std::vector<Case> cases = failures_of(outcome);
  if (cases.empty()) cases.push_back({"conforms"});
  if (outcome.readable && outcome.partial())
    cases.push_back({"rules across ranks", Case::Result::skipped,
                     std::to_string(outcome.judged) + " of " + std::to_string(outcome.ranks) +
                         " ranks are there: only rules about one rank were judged"});
  return cases;
}

std::size_t number(const std::vector<Case>& cases, Case::Result result) {
  return static_cast<std::size_t>(std::count_if(
      cases.begin(), cases.end(), [&](const Case& each) { return each.result == result; }));
}

void write_counts(std::ostream& out, const std::vector<Case>& cases) {
  out << " tests=\"" << cases.size() << "\" failures=\"" << number(cases, Case::Result::failure)
      << "\" errors=\"" << number(cases, Case::Result::error) << "\" skipped=\""
      << number(cases, Case::Result::skipped) << "\"";
}

void write_case(std::ostream& out, const Outcome& outcome, const Case& each) {
  out << "    <testcase classname=" << xml::attribute(outcome.subject)
      << " name=" << xml::attribute(each.name);
  switch (each.result) {
    case Case::Result::passed:
      out << "/>\n";
      return;
    case Case::Result::skipped:
      out << ">\n      <skipped message=" << xml::attribute(each.message) << "/>\n";
      break;
    default:
      const char* element = each.result == Case::Result::failure ? "failure" : "error";
      out << ">\n      <" << element << " type=" << xml::attribute(each.name)
          << " message=" << xml::attribute(each.message) << '>' << xml::text(each.text) << "</"
          << element << ">\n";
  }
  out << "    </testcase>\n";
}

/// Warnings and notes, as text.
void write_remarks(std::ostream& out, const Outcome& outcome) {
  std::string remarks;
  for (const Finding& finding : outcome.findings.findings())
    if (finding.severity != Severity::error) remarks += line_of(finding) + '\n';
  if (!remarks.empty()) out << "    <system-out>" << xml::text(remarks) << "</system-out>\n";
}

}  // namespace

void write_junit(std::ostream& out, const Document& document) {
  std::vector<Case> all;
  for (const Outcome& outcome : document.outcomes)
    for (Case& each : cases_of(outcome)) all.push_back(std::move(each));
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"daptor\"";
  write_counts(out, all);
  out << ">\n";
  for (const Outcome& outcome : document.outcomes) {
    const std::vector<Case> cases = cases_of(outcome);
    out << "  <testsuite name=" << xml::attribute(outcome.subject);
    write_counts(out, cases);
    out << ">\n";
    for (const Case& each : cases) write_case(out, outcome, each);
    write_remarks(out, outcome);
    out << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
}

}  // namespace daptor::report
