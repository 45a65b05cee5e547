// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace daptor::report::xml {

/// `text` as the content of an element. Lines stay lines; control characters, bytes that are no
/// UTF-8 and characters that XML does not have come out as `\xNN`.
std::string text(std::string_view text);

/// The same in quotes, on one line.
std::string attribute(std::string_view text);

}  // namespace daptor::report::xml
