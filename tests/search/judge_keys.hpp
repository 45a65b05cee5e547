// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

#include "daptor/report.hpp"
#include "daptor/value.hpp"

namespace daptor::search {

/// How serious each finding about keys that are not known is: a warning where a known one is
/// misspelt. Keys after the eighth, in their order, have one finding together.
std::vector<Severity> judge_other_keys(const Dictionary& map, const std::set<std::string>& known);

}  // namespace daptor::search
