// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "daptor/report.hpp"

namespace daptor::json {

/// A finding as reports have it: `rule`, `severity`, `ranks` (a list, or null for all of them or
/// one that is not known), `rank_count`, `dimension`, `key`, `found`, `expected` and `remedy`.
nlohmann::ordered_json finding(const Finding& finding);

/// On one line. Bytes that are not UTF-8 become U+FFFD.
std::string line(const nlohmann::ordered_json& json);

}  // namespace daptor::json
