// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/error.hpp"

namespace daptor::cli {

/// One line on standard error, with the command's name in front.
void say(const std::string& sentence);
/// What an error says: its first finding, and what to do.
void say(const Error& error);

/// A finding as one sentence: what was found, and what was expected.
std::string sentence(const Finding& finding);
/// The same about a file or a producer, whose name stands in front unless it is said anyway.
std::string about(const std::string& subject, const Finding& finding);

}  // namespace daptor::cli
