// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string_view>

#include "daptor/value.hpp"

namespace daptor::parsing {

/// The `known` key that is absent from `map` and of which `key` is a misspelling: the same but for
/// case, or for one changed, missing or additional character (two in long keys). Empty if there is
/// none.
///
/// Example: "padd1ng" stands for "padding".
std::string_view misspelt(std::string_view key, const Dictionary& map,
                          const std::set<std::string_view>& known);

}  // namespace daptor::parsing
