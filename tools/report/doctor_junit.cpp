// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "report/doctor.hpp"
#include "report/finding_text.hpp"
#include "report/junit.hpp"

namespace daptor::report {
namespace {

using junit::Case;

/// A test is known by the line that suppresses it, which is the same in the next run.
Case case_of(const DoctorFinding& entry) {
  using State = DoctorFinding::State;
  const std::string line = line_of(entry.finding);
  Case result{entry.suppression, Case::Result::failure, line, line};
  if (entry.state != State::fresh) result.result = Case::Result::skipped;
  if (entry.state == State::known) result.message = "known from the baseline: " + line;
  if (entry.state == State::suppressed) result.message = "suppressed: " + line;
  result.type = entry.finding.rule;
  result.file = entry.place.file;
  result.line = entry.place.line;
  if (!entry.events.empty()) result.text += "\nfound in " + entry.events;
  return result;
}

}  // namespace

void write_doctor_junit(std::ostream& out, const DoctorReport& report, Severity from) {
  junit::Suite suite{report.subject};
  for (const DoctorFinding& each : report.findings)
    if (each.finding.severity >= from)
      suite.cases.push_back(case_of(each));
    else
      suite.remarks += line_of(each.finding) + '\n';
  if (report.status(from) == Status::done) suite.cases.insert(suite.cases.begin(), {"no findings"});
  junit::write(out, {suite});
}

}  // namespace daptor::report
