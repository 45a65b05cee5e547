// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "daptor/report.hpp"
#include "daptor/validate.hpp"

/// \file
/// The input of the writers of reports.

namespace daptor::report {

/// Exit status of the command. Of several, the highest counts.
enum class Status {
  done = 0,               ///< conforms, warnings allowed; or did what was asked
  malformed = 1,          ///< breaks a rule, or cannot be converted
  unusable = 2,           ///< could not be read or written at all, or wrong usage
  unsupported = 3,        ///< a version or a distribution that Daptor does not know
  not_representable = 4,  ///< no target can hold it without a copy
  producer_failed = 5     ///< a producer threw, or did not load
};

/// The result of checking one array.
struct Outcome {
  std::string subject;      ///< the file, or library and symbol
  std::string name = {};    ///< of the array; may be empty
  std::int64_t ranks = 0;   ///< ranks of the array; 0 where nobody can tell
  std::int64_t judged = 0;  ///< those that were there; with fewer than `ranks` local rules only
  bool readable = true;     ///< false: there is no array, and the one finding says why
  Report findings = {};

  bool partial() const { return judged < ranks; }
  Status status() const;
};

/// The results of one run of the command.
struct Document {
  Profile profile = Profile::recommended;
  Level level = Level::full;
  std::vector<Outcome> outcomes = {};

  Status status() const;
};

/// `conforms`, `malformed`, `unsupported`, `producer failed` or `unreadable`.
std::string verdict_of(const Outcome& outcome);

/// What to do about a finding: its own remedy, or that of its rule.
std::string remedy_of(const Finding& finding);

/// Number of findings of this severity.
std::size_t count(const Report& report, Severity severity);

}  // namespace daptor::report
