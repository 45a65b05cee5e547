// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace daptor::detail {

/// `text` itself if it has at most `limit` bytes; otherwise its beginning, cut between two UTF-8
/// characters, followed by "...", with at most `limit` bytes in total.
std::string shorten(std::string_view text, std::size_t limit);

/// `text`, which may contain anything, as one line of valid UTF-8 for a message: control characters
/// and stray bytes are written as `\xNN`.
std::string printable(std::string_view text);

/// Like `printable`, but line breaks and tabs stay.
std::string printable_lines(std::string_view text);

/// Like `printable`, cut to the length that a value in a message may have.
std::string quotable(std::string_view text);

}  // namespace daptor::detail
