#include "daptor/error.hpp"

namespace daptor {
namespace {

// An error always has a finding, so that `finding()` cannot fail.
Report with_error(Report report) {
  if (report.findings().empty()) {
    Finding finding;
    finding.rule = "unknown";
    finding.found = "an error without a finding";
    report.add(std::move(finding));
  }
  if (const Finding* first = report.first_error(); first != &report.findings().front()) {
    if (first == nullptr) return report;
    Report ordered;
    ordered.add(*first);
    for (const Finding& finding : report.findings())
      if (&finding != first) ordered.add(finding);
    return ordered;
  }
  return report;
}

Finding make_finding(std::string rule, std::string key, std::string found, std::string expected,
                     std::string remedy) {
  Finding finding;
  finding.rule = std::move(rule);
  finding.key = std::move(key);
  finding.found = std::move(found);
  finding.expected = std::move(expected);
  finding.remedy = std::move(remedy);
  return finding;
}

}  // namespace

Error::Error(ErrorKind kind, Report report)
    : std::runtime_error(to_string(with_error(report).findings().front())),
      kind_(kind),
      report_(with_error(std::move(report))) {}

Error::Error(ErrorKind kind, Finding finding) : Error(kind, Report({std::move(finding)})) {}

LibraryFailed::LibraryFailed(const std::string& library, const std::string& function,
                             const std::string& text)
    : LibraryFailed(make_finding("library." + library, function, text, "", "")) {}

Finalized::Finalized(const std::string& library)
    : Finalized(Report({make_finding("finalized", "", "a call after " + library + " was finalized",
                                     "a call while " + library + " is running",
                                     "Make the call earlier, or finalize later.")})) {}

Stale::Stale(const std::string& found, const std::string& remedy)
    : Stale(Report({make_finding("stale", "", found,
                                 "the memory that was described when it was exported", remedy)})) {}

InvalidArgument::InvalidArgument(const std::string& key, const std::string& found,
                                 const std::string& expected)
    : InvalidArgument(Report({make_finding("argument", key, found, expected, "")})) {}

void throw_error(ErrorKind kind, Report report) {
  switch (kind) {
    case ErrorKind::malformed:
      throw Malformed(std::move(report));
    case ErrorKind::unsupported:
      throw Unsupported(std::move(report));
    case ErrorKind::not_representable:
      throw NotRepresentable(std::move(report));
    case ErrorKind::producer_failed:
      throw ProducerFailed(std::move(report));
    case ErrorKind::library_failed:
      throw LibraryFailed(std::move(report));
    case ErrorKind::finalized:
      throw Finalized(std::move(report));
    case ErrorKind::stale:
      throw Stale(std::move(report));
    case ErrorKind::invalid_argument:
      break;
  }
  throw InvalidArgument(std::move(report));
}

}  // namespace daptor
