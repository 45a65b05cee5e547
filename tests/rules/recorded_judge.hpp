// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "daptor/parse.hpp"
#include "daptor/simulated.hpp"
#include "daptor/validate.hpp"
#include "json/recorded.hpp"

namespace daptor::test {

inline Recorded read_text(const std::string& text, const ReadLimits& limits = {}) {
  std::istringstream in(text);
  return read_recorded(in, limits);
}

/// The report that every rank of a recorded array gets, indices judged too; a finding that no rule
/// has where they differ.
inline Report judge(const Recorded& recorded, Profile profile = Profile::recommended) {
  const ValidateOptions options{Level::full, profile};
  std::vector<Report> reports(recorded.ranks.size());
  run_simulated(static_cast<int>(recorded.ranks.size()), [&](const Comm& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    reports[rank] = validate(submission(recorded.ranks[rank]), comm, options);
  });
  for (const Report& report : reports) {
    if (report.findings() == reports.front().findings()) continue;
    Finding finding;
    finding.rule = "ranks disagree";
    return Report({finding});
  }
  return reports.front();
}

}  // namespace daptor::test
