// SPDX-License-Identifier: BSD-3-Clause
#include <ostream>
#include <string>

#include "report/doctor.hpp"
#include "report/finding_text.hpp"

namespace daptor::report {
namespace {

/// `/home/me/flow/step.c:214 in advance_velocity, in SNESSolve, VecNorm; 3 times`
std::string place_text(const DoctorFinding& entry) {
  const ProgramPlace& place = entry.place;
  std::string text = place.line > 0 ? place.file + ':' + std::to_string(place.line) : place.binary;
  if (!place.function.empty()) text += (text.empty() ? "in " : " in ") + place.function;
  if (!entry.events.empty()) text += (text.empty() ? "in " : ", in ") + entry.events;
  if (entry.times > 1) text += "; " + std::to_string(entry.times) + " times";
  return text;
}

std::size_t number_in(const DoctorReport& report, DoctorFinding::State state, Severity severity) {
  std::size_t found = 0;
  for (const DoctorFinding& each : report.findings)
    if (each.state == state && each.finding.severity == severity) ++found;
  return found;
}

void write_counts(std::ostream& out, const DoctorReport& report, const Paint& paint,
                  Severity from) {
  using State = DoctorFinding::State;
  const bool good = report.status(from) == Status::done;
  std::string text, rest;
  std::size_t known = 0, suppressed = 0;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    const std::size_t fresh = number_in(report, State::fresh, severity);
    if (fresh > 0) text += (text.empty() ? "" : ", ") + number_of(fresh, word(severity));
    known += number_in(report, State::known, severity);
    suppressed += number_in(report, State::suppressed, severity);
  }
  if (text.empty()) text = "no findings";
  if (suppressed > 0) rest += "; " + std::to_string(suppressed) + " suppressed";
  if (known > 0) rest += "; " + std::to_string(known) + " known";
  out << "  " << (good ? paint.good(text) : paint.bad(text)) << rest << '\n';
}

}  // namespace

void write_doctor_text(std::ostream& out, const DoctorReport& report, Severity from, bool color) {
  const Paint paint(color);
  out << paint.bold(detail::printable(report.subject)) << " (looked at objects "
      << number_of(static_cast<std::size_t>(report.looks), "time") << ", for " << report.seconds
      << " s" << (report.complete ? "" : "; the program did not come to its end") << ")\n";
  for (const DoctorFinding& each : report.findings) {
    if (each.state != DoctorFinding::State::fresh) continue;
    write_finding(out, paint, each.finding);
    write_line(out, paint, "at   ", place_text(each));
    write_line(out, paint, "meant", each.suppression);
  }
  write_counts(out, report, paint, from);
}

}  // namespace daptor::report
