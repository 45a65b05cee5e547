// SPDX-License-Identifier: BSD-3-Clause
#include <ostream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "daptor/config.hpp"
#include "daptor/rules.hpp"
#include "report/ranks.hpp"
#include "report/writers.hpp"

namespace daptor::report {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
std::string word(T value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// The ranks as JSON; null for every rank, or an unknown rank.
Json ranks_of(const Finding& finding) {
  if (finding.ranks.empty()) return nullptr;
  Json runs = Json::array();
  for (const RankRun& run : fold(finding.ranks)) runs.push_back({run.first, run.last});
  return runs;
}

Json finding_of(const Finding& finding) {
  Json json;
  json["rule"] = finding.rule;
  json["severity"] = word(finding.severity);
  json["ranks"] = ranks_of(finding);
  json["rank_count"] = finding.rank_count;
  json["dimension"] = finding.dimension < 0 ? Json() : Json(finding.dimension);
  json["key"] = finding.key;
  json["found"] = finding.found.str();
  json["expected"] = finding.expected.str();
  json["remedy"] = remedy_of(finding);
  if (const protocol::Rule* rule = protocol::find_rule(finding.rule)) json["clause"] = rule->clause;
  return json;
}

Json outcome_of(const Outcome& outcome) {
  Json json;
  json["subject"] = outcome.subject;
  json["name"] = outcome.name;
  json["ranks"] = outcome.ranks;
  json["ranks_judged"] = outcome.judged;
  json["verdict"] = verdict_of(outcome);
  json["findings"] = Json::array();
  for (const Finding& finding : outcome.findings.findings())
    json["findings"].push_back(finding_of(finding));
  return json;
}

}  // namespace

void write_json(std::ostream& out, const Document& document) {
  Json json;
  json["format"] = 1;
  json["daptor"] = DAPTOR_VERSION_STRING;
  json["profile"] = document.profile == Profile::strict ? "strict" : "recommended";
  json["level"] = document.level == Level::full ? "full" : "metadata";
  json["status"] = static_cast<int>(document.status());
  json["arrays"] = Json::array();
  for (const Outcome& outcome : document.outcomes) json["arrays"].push_back(outcome_of(outcome));
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace daptor::report
