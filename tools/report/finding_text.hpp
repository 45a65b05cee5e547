// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

#include "daptor/report.hpp"
#include "report/paint.hpp"
#include "report/text.hpp"

/// \file
/// A finding as reports for people show it.

namespace daptor::report {

/// `error`, `warning`, `note`
std::string word(Severity severity);

/// `1 error`, `3 errors`
std::string number_of(std::size_t count, const std::string& what);

/// A line of a finding: `    found  ...`. Nothing for an empty text.
/// @param label  of five characters
void write_line(std::ostream& out, const Paint& paint, const char* label, const std::string& text);

/// Rule, ranks and key, and the lines below: found, asked, do.
void write_finding(std::ostream& out, const Paint& paint, const Finding& finding);

/// The finding on one line, with its ranks in front.
std::string line_of(const Finding& finding);

}  // namespace daptor::report
