// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>

#include "report/outcome.hpp"

/// \file
/// One document in three forms. Text from files and producers may hold anything: control characters
/// and bytes that are no UTF-8 come out as `\xNN` in text and XML, as escapes or U+FFFD in JSON.

namespace daptor::report {

/// For people. With `color`, escape sequences of a terminal.
void write_text(std::ostream& out, const Document& document, bool color);

/// By `daptor-report.schema.json`. Ranks are runs, `[[0, 6], [9, 9]]`.
void write_json(std::ostream& out, const Document& document);

/// JUnit XML as build servers read it: a test suite for each array, a test case for each rule that
/// was broken, or one, `conforms`.
void write_junit(std::ostream& out, const Document& document);

}  // namespace daptor::report
