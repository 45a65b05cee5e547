// SPDX-License-Identifier: BSD-3-Clause
#include <ostream>
#include <set>
#include <string>

#include "daptor/rules.hpp"
#include "report/finding_text.hpp"
#include "report/writers.hpp"

namespace daptor::report {
namespace {

using daptor::detail::printable;

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
