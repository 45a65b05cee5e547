// SPDX-License-Identifier: BSD-3-Clause
#include "report/rules/judged.hpp"

#include <utility>
#include <vector>

namespace daptor::detail {

Severity severity_of(const char* rule, Version::Rules version) {
  const protocol::Rule* const known = protocol::find_rule(rule);
  const bool checked = known != nullptr && (version == Version::Rules::v0_10 ? known->checked_0_10
                                                                             : known->checked_0_9);
  return checked ? known->severity_for(version, Profile::recommended) : Severity::error;
}

Finding judged(const char* rule, Version::Rules version, int dimension, std::string key,
               Terms found, Terms expected, Terms remedy) {
  Finding finding = error_finding(rule, dimension, std::move(key), std::move(found),
                                  std::move(expected), std::move(remedy));
  finding.severity = severity_of(rule, version);
  return finding;
}

Finding judged_mildly(const char* rule, int dimension, std::string key, Terms found,
                      Terms expected) {
  Finding finding =
      error_finding(rule, dimension, std::move(key), std::move(found), std::move(expected));
  finding.severity = Severity::warning;
  return finding;
}

Report judged_strictly(const Report& report, Version::Rules version) {
  std::vector<Finding> findings = report.findings();
  for (Finding& finding : findings) {
    const protocol::Rule* const rule = protocol::find_rule(finding.rule);
    const bool worst =
        rule != nullptr && finding.severity == rule->severity_for(version, Profile::recommended);
    if (worst)
      finding.severity = rule->severity_for(version, Profile::strict);
    else if (finding.severity == Severity::warning)
      finding.severity = Severity::error;
  }
  return Report(std::move(findings));
}

}  // namespace daptor::detail
