// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <vector>

#include "report/finding_text.hpp"
#include "report/junit.hpp"
#include "report/writers.hpp"

namespace daptor::report {
namespace {

using junit::Case;

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

/// Warnings and notes, as text.
std::string remarks_of(const Outcome& outcome) {
  std::string remarks;
  for (const Finding& finding : outcome.findings.findings())
    if (finding.severity != Severity::error) remarks += line_of(finding) + '\n';
  return remarks;
}

}  // namespace

void write_junit(std::ostream& out, const Document& document) {
  std::vector<junit::Suite> suites;
  for (const Outcome& outcome : document.outcomes)
    suites.push_back({outcome.subject, cases_of(outcome), remarks_of(outcome)});
  junit::write(out, suites);
}

}  // namespace daptor::report
