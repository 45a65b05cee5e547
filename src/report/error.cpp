// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/error.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "report/make_error.hpp"

namespace daptor {
namespace {

/// `report` with the error from which the message is made as its first finding. A report without
/// findings gets one.
Report led_by_error(const Report& report) {
  std::vector<Finding> findings = report.findings();
  if (findings.empty())
    findings.push_back(error_finding("unknown", -1, "", "an error that has no finding", ""));
  if (const Finding* error = report.first_error()) {
    const auto first = findings.begin() + (error - report.findings().data());
    std::rotate(findings.begin(), first, first + 1);
  }
  return Report(std::move(findings));
}

}  // namespace

Error::Error(ErrorKind kind, const Report& report) : Error(led_by_error(report), kind) {}

Error::Error(ErrorKind kind, Finding finding) : Error(kind, Report({std::move(finding)})) {}

Error::Error(Report led, ErrorKind kind)
    : std::runtime_error(to_string(led.findings().front())), kind_(kind), report_(std::move(led)) {}

LibraryFailed::LibraryFailed(const std::string& library, const std::string& function,
                             const Terms& text)
    : LibraryFailed(error_finding("library." + library, -1, function, text, "")) {}

Finalized::Finalized(const std::string& library)
    : Finalized(
          Report({error_finding("finalized", -1, "", "a call after " + library + " was finalized",
                                "a call while " + library + " is running",
                                "Make the call earlier, or finalize later.")})) {}

Stale::Stale(const Terms& found, const Terms& remedy)
    : Stale(Report({error_finding("stale", -1, "", found, "the memory that the export described",
                                  remedy)})) {}

InvalidArgument::InvalidArgument(const std::string& key, const Terms& found, const Terms& expected)
    : InvalidArgument(Report({error_finding("argument", -1, key, found, expected)})) {}

std::exception_ptr detail::make_error(ErrorKind kind, const Report& report) {
  switch (kind) {
    case ErrorKind::malformed:
      return std::make_exception_ptr(Malformed(report));
    case ErrorKind::unsupported:
      return std::make_exception_ptr(Unsupported(report));
    case ErrorKind::not_representable:
      return std::make_exception_ptr(NotRepresentable(report));
    case ErrorKind::producer_failed:
      return std::make_exception_ptr(ProducerFailed(report));
    case ErrorKind::library_failed:
      return std::make_exception_ptr(LibraryFailed(report));
    case ErrorKind::finalized:
      return std::make_exception_ptr(Finalized(report));
    case ErrorKind::stale:
      return std::make_exception_ptr(Stale(report));
    case ErrorKind::invalid_argument:
      break;
  }
  return std::make_exception_ptr(InvalidArgument(report));
}

void throw_error(ErrorKind kind, const Report& report) {
  std::rethrow_exception(detail::make_error(kind, report));
}

void throw_verdict(const Report& report) {
  switch (report.verdict()) {
    case Verdict::unsupported:
      throw Unsupported(report);
    case Verdict::producer_failed:
      throw ProducerFailed(report);
    case Verdict::malformed:
    case Verdict::conforms:
      break;
  }
  throw Malformed(report);
}

}  // namespace daptor
