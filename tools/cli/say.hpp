// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/error.hpp"

namespace daptor::cli {

/// Writes one line to standard error, with the command's name in front.
void say(const std::string& sentence);
/// The text of an error: its first finding, and what to do.
void say(const Error& error);

/// A finding as one sentence: what was found, and what was expected.
std::string sentence(const Finding& finding);
/// The same for a file or a producer, with its name in front unless the text has it already.
std::string about(const std::string& subject, const Finding& finding);

}  // namespace daptor::cli
