// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>

#include "report/outcome.hpp"

/// \file
/// One document in three forms. Text from files and producers may contain any bytes: control
/// characters and bytes that are not UTF-8 are written as `\xNN` in text and XML, and as escapes or
/// U+FFFD in JSON.

namespace daptor::report {

/// Text for people; with `color`, with escape sequences of a terminal.
void write_text(std::ostream& out, const Document& document, bool color);

/// JSON according to `daptor-report.schema.json`. Ranks are runs, `[[0, 6], [9, 9]]`.
void write_json(std::ostream& out, const Document& document);

/// JUnit XML for build servers: a test suite for each array, with a test case for each broken rule,
/// or a single one, `conforms`.
void write_junit(std::ostream& out, const Document& document);

}  // namespace daptor::report
