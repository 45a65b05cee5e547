// SPDX-License-Identifier: BSD-3-Clause
#include "report/outcome.hpp"

#include <algorithm>
#include <sstream>

#include "daptor/rules.hpp"

namespace daptor::report {

Status Outcome::status() const {
  if (!readable) return Status::unusable;
  switch (findings.verdict()) {
    case Verdict::conforms:
      return Status::done;
    case Verdict::malformed:
      return Status::malformed;
    case Verdict::unsupported:
      return Status::unsupported;
    case Verdict::producer_failed:
      break;
  }
  return Status::producer_failed;
}

Status Document::status() const {
  Status highest = Status::done;
  for (const Outcome& outcome : outcomes) highest = std::max(highest, outcome.status());
  return highest;
}

std::string verdict_of(const Outcome& outcome) {
  if (!outcome.readable) return "unreadable";
  std::ostringstream text;
  text << outcome.findings.verdict();
  return text.str();
}

std::string remedy_of(const Finding& finding) {
  if (std::string own = advice(finding).str(); !own.empty()) return own;
  const protocol::Rule* rule = protocol::find_rule(finding.rule);
  return rule != nullptr ? std::string(rule->remedy) : "";
}

std::size_t count(const Report& report, Severity severity) {
  const auto& findings = report.findings();
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const Finding& finding) { return finding.severity == severity; }));
}

}  // namespace daptor::report
