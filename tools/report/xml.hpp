// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace daptor::report::xml {

/// `text` as the content of an element. Line breaks are kept; control characters, bytes that are
/// not UTF-8 and characters that XML does not have are written as `\xNN`.
std::string text(std::string_view text);

/// The same in quotes, on one line.
std::string attribute(std::string_view text);

}  // namespace daptor::report::xml
