// SPDX-License-Identifier: BSD-3-Clause
#include <ostream>
#include <set>
#include <sstream>
#include <string>

#include "daptor/rules.hpp"
#include "report/paint.hpp"
#include "report/ranks.hpp"
#include "report/text.hpp"
#include "report/writers.hpp"

namespace daptor::report {
namespace {

using daptor::detail::printable;

std::string word(Severity severity) {
  std::ostringstream text;
  text << severity;
  return text.str();
}

std::string number_of(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string ranks_text(const Finding& finding) {
  if (finding.ranks.empty()) return "";
  return (finding.rank_count == 1 ? "rank " : "ranks ") + folded(finding.ranks, finding.rank_count);
}

void write_line(std::ostream& out, const Paint& paint, const char* label, const std::string& text) {
  if (!text.empty()) out << "    " << paint.faint(label) << "  " << printable(text) << '\n';
}

void write_finding(std::ostream& out, const Paint& paint, const Finding& finding) {
  out << "  " << paint.severity(finding.severity, word(finding.severity) + " " + finding.rule);
  const std::string ranks = ranks_text(finding);
  if (!ranks.empty()) out << ", " << ranks;
  if (finding.dimension >= 0) out << ", dimension " << finding.dimension;
  if (!finding.key.empty()) out << ", '" << printable(finding.key) << '\'';
  out << '\n';
  const bool of_several = finding.ranks.size() > 1;
  const std::string where =
      of_several ? "on rank " + std::to_string(finding.rank()) + ": " : std::string();
  write_line(out, paint, "found", where + finding.found.str());
  write_line(out, paint, "asked", finding.expected.str());
  write_line(out, paint, "do   ", remedy_of(finding));
}

void write_heading(std::ostream& out, const Paint& paint, const Outcome& outcome) {
  out << paint.bold(printable(outcome.subject));
  std::string about = printable(outcome.name);
  if (outcome.ranks > 0) {
    if (!about.empty()) about += "; ";
    if (outcome.partial()) about += std::to_string(outcome.judged) + " of ";
    about += number_of(static_cast<std::size_t>(outcome.ranks), "rank");
  }
  if (!about.empty()) out << " (" << about << ')';
  out << '\n';
}

void write_verdict(std::ostream& out, const Paint& paint, const Outcome& outcome) {
  const bool good = outcome.status() == Status::done;
  const std::string verdict = verdict_of(outcome);
  out << "  " << (good ? paint.good(verdict) : paint.bad(verdict));
  std::string separator = ": ";
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    const std::size_t found = count(outcome.findings, severity);
    if (found == 0) continue;
    out << separator << number_of(found, word(severity));
    separator = ", ";
  }
  if (outcome.partial()) out << "; only rules about one rank were judged, the others are missing";
  out << '\n';
}

void write_unreadable(std::ostream& out, const Paint& paint, const Outcome& outcome) {
  out << "  " << paint.bad(verdict_of(outcome));
  for (const Finding& finding : outcome.findings.findings())
    out << ": " << printable(finding.found.str()) << " (" << finding.rule << ')';
  out << '\n';
}

/// Where to read more about the errors.
void write_hint(std::ostream& out, const Paint& paint, const Document& document) {
  constexpr std::size_t most = 6;
  std::set<std::string> ids;
  for (const Outcome& outcome : document.outcomes)
    for (const Finding& finding : outcome.findings.findings())
      if (finding.severity == Severity::error && protocol::find_rule(finding.rule) != nullptr)
        ids.insert(finding.rule);
  if (ids.empty() || ids.size() > most) return;
  std::string text = "For the rule with examples: daptor rule";
  for (const std::string& id : ids) text += " " + id;
  out << paint.faint(text) << '\n';
}

}  // namespace

void write_text(std::ostream& out, const Document& document, bool color) {
  const Paint paint(color);
  for (const Outcome& outcome : document.outcomes) {
    write_heading(out, paint, outcome);
    if (!outcome.readable) {
      write_unreadable(out, paint, outcome);
      continue;
    }
    for (const Finding& finding : outcome.findings.findings()) write_finding(out, paint, finding);
    write_verdict(out, paint, outcome);
  }
  write_hint(out, paint, document);
}

}  // namespace daptor::report
