// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace daptor::detail {

/// `text` where it has at most `limit` bytes; otherwise its beginning, cut between two characters
/// of UTF-8, and "...": `limit` bytes at most with it.
std::string shorten(std::string_view text, std::size_t limit);

/// For messages, from input that may hold anything: `text` as valid UTF-8 on one line, control
/// characters and stray bytes as `\xNN`.
std::string printable(std::string_view text);

/// The same, but lines and tabs stay.
std::string printable_lines(std::string_view text);

/// `printable`, as long as a value in a message may be.
std::string quotable(std::string_view text);

}  // namespace daptor::detail
