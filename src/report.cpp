#include "daptor/report.hpp"

#include <algorithm>
#include <sstream>
#include <tuple>

namespace daptor {
namespace {

auto fields(const Finding& f) {
  return std::tie(f.rule, f.severity, f.ranks, f.rank_count, f.dimension, f.key, f.found,
                  f.expected, f.remedy);
}

void write_ranks(std::ostream& out, const Finding& finding) {
  if (finding.ranks.empty()) return;
  out << (finding.ranks.size() == 1 ? ", rank " : ", ranks ");
  for (std::size_t i = 0; i < finding.ranks.size(); ++i)
    out << (i == 0 ? "" : ", ") << finding.ranks[i];
  const auto named = static_cast<std::int64_t>(finding.ranks.size());
  if (finding.rank_count > named) out << " and " << finding.rank_count - named << " more";
}

}  // namespace

bool operator==(const Finding& a, const Finding& b) {
  return fields(a) == fields(b);
}

std::ostream& operator<<(std::ostream& out, const Finding& finding) {
  out << finding.rule << ' ' << finding.severity;
  write_ranks(out, finding);
  if (finding.dimension >= 0) out << ", dimension " << finding.dimension;
  if (!finding.key.empty()) out << ", '" << finding.key << '\'';
  out << ": found " << finding.found;
  if (!finding.expected.empty()) out << "; expected " << finding.expected;
  if (!finding.remedy.empty()) out << ". " << finding.remedy;
  return out;
}

std::string to_string(const Finding& finding) {
  std::ostringstream text;
  text << finding;
  return text.str();
}

Report::Report(std::vector<Finding> findings) : findings_(std::move(findings)) {}

void Report::add(Finding finding) {
  findings_.push_back(std::move(finding));
}

void Report::append(const Report& other) {
  findings_.insert(findings_.end(), other.findings_.begin(), other.findings_.end());
}

Verdict Report::verdict() const {
  Verdict verdict = Verdict::conforms;
  for (const Finding& finding : findings_) {
    if (finding.severity != Severity::error) continue;
    if (finding.rule == rule_producer) return Verdict::producer_failed;
    if (finding.rule == rule_unknown_version || finding.rule == rule_unknown_distribution ||
        finding.rule == rule_unknown_abi)
      verdict = Verdict::unsupported;
    else if (verdict == Verdict::conforms)
      verdict = Verdict::malformed;
  }
  return verdict;
}

const Finding* Report::first_error() const {
  const auto found = std::find_if(findings_.begin(), findings_.end(),
                                  [](const Finding& f) { return f.severity == Severity::error; });
  return found == findings_.end() ? nullptr : &*found;
}

bool Report::has(const std::string& rule) const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [&](const Finding& f) { return f.rule == rule; });
}

std::ostream& operator<<(std::ostream& out, const Report& report) {
  for (const Finding& finding : report.findings()) out << finding << '\n';
  return out << report.verdict();
}

std::ostream& operator<<(std::ostream& out, Severity severity) {
  switch (severity) {
    case Severity::note:
      return out << "note";
    case Severity::warning:
      return out << "warning";
    case Severity::error:
      return out << "error";
  }
  return out;
}

std::ostream& operator<<(std::ostream& out, Verdict verdict) {
  switch (verdict) {
    case Verdict::conforms:
      return out << "conforms";
    case Verdict::malformed:
      return out << "malformed";
    case Verdict::unsupported:
      return out << "unsupported";
    case Verdict::producer_failed:
      return out << "producer failed";
  }
  return out;
}

}  // namespace daptor
