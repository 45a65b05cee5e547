// SPDX-License-Identifier: BSD-3-Clause
#include "json/finding.hpp"

#include <sstream>

#include <nlohmann/json.hpp>

namespace daptor::json {

nlohmann::ordered_json finding(const Finding& finding) {
  using Json = nlohmann::ordered_json;
  std::ostringstream severity;
  severity << finding.severity;
  return {{"rule", finding.rule},
          {"severity", severity.str()},
          {"ranks", finding.ranks.empty() ? Json() : Json(finding.ranks)},
          {"rank_count", finding.rank_count},
          {"dimension", finding.dimension < 0 ? Json() : Json(finding.dimension)},
          {"key", finding.key},
          {"found", finding.found.str()},
          {"expected", finding.expected.str()},
          {"remedy", advice(finding).str()}};
}

std::string line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace daptor::json
