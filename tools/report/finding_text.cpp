// SPDX-License-Identifier: BSD-3-Clause
#include "report/finding_text.hpp"

#include <ostream>
#include <sstream>

#include "report/outcome.hpp"
#include "report/ranks.hpp"

namespace daptor::report {
namespace {

std::string ranks_text(const Finding& finding) {
  if (finding.ranks.empty()) return "";
  return (finding.rank_count == 1 ? "rank " : "ranks ") + folded(finding.ranks, finding.rank_count);
}

}  // namespace

std::string word(Severity severity) {
  std::ostringstream text;
  text << severity;
  return text.str();
}

std::string number_of(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void write_line(std::ostream& out, const Paint& paint, const char* label, const std::string& text) {
  if (!text.empty()) out << "    " << paint.faint(label) << "  " << detail::printable(text) << '\n';
}

void write_finding(std::ostream& out, const Paint& paint, const Finding& finding) {
  out << "  " << paint.severity(finding.severity, word(finding.severity) + " " + finding.rule);
  const std::string ranks = ranks_text(finding);
  if (!ranks.empty()) out << ", " << ranks;
  if (finding.dimension >= 0) out << ", dimension " << finding.dimension;
  if (!finding.key.empty()) out << ", '" << detail::printable(finding.key) << '\'';
  out << '\n';
  const bool of_several = finding.ranks.size() > 1;
  const std::string where =
      of_several ? "on rank " + std::to_string(finding.rank()) + ": " : std::string();
  write_line(out, paint, "found", where + finding.found.str());
  write_line(out, paint, "asked", finding.expected.str());
  write_line(out, paint, "do   ", remedy_of(finding));
}

std::string line_of(const Finding& finding) {
  Finding full = finding;
  full.remedy = remedy_of(finding);
  full.copy = {};
  full.ranks = {};
  const std::string ranks = ranks_text(finding);
  return (ranks.empty() ? "" : ranks + ": ") + to_string(full);
}

}  // namespace daptor::report
