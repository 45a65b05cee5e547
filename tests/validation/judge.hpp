// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "daptor/daptor.hpp"
#include "daptor/simulated.hpp"
#include "daptor/validate.hpp"

namespace daptor::test {

/// The report of each simulated rank.
inline std::vector<Report> judge(int ranks, const std::function<Submission(int)>& submission,
                                 const ValidateOptions& options = {}) {
  std::vector<Report> reports(static_cast<std::size_t>(ranks));
  run_simulated(ranks, [&](const Comm& comm) {
    reports[static_cast<std::size_t>(comm.rank())] =
        validate(submission(comm.rank()), comm, options);
  });
  return reports;
}

/// The report that all simulated ranks have; a report with an impossible rule if they differ.
inline Report verdict(int ranks, const std::function<Submission(int)>& submission,
                      const ValidateOptions& options = {}) {
  const std::vector<Report> reports = judge(ranks, submission, options);
  for (const Report& report : reports) {
    if (report.findings() == reports.front().findings()) continue;
    Finding finding;
    finding.rule = "ranks disagree";
    return Report({finding});
  }
  return reports.front();
}

inline std::vector<std::string> rules_of(const Report& report) {
  std::vector<std::string> rules;
  for (const Finding& finding : report.findings()) rules.push_back(finding.rule);
  return rules;
}

/// A section of doubles without memory.
inline Section described(std::vector<Dimension> dimensions) {
  return describe(DataType::of<double>(), nullptr, std::move(dimensions));
}

}  // namespace daptor::test
