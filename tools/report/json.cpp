// SPDX-License-Identifier: BSD-3-Clause
#include <ostream>

#include <nlohmann/json.hpp>

#include "daptor/config.hpp"
#include "daptor/rules.hpp"
#include "json/finding.hpp"
#include "report/ranks.hpp"
#include "report/writers.hpp"

namespace daptor::report {
namespace {

using Json = nlohmann::ordered_json;

/// The ranks as JSON; null for every rank, or an unknown rank.
Json ranks_of(const Finding& finding) {
  if (finding.ranks.empty()) return nullptr;
  Json runs = Json::array();
  for (const RankRun& run : fold(finding.ranks)) runs.push_back({run.first, run.last});
  return runs;
}

Json finding_of(const Finding& finding) {
  Json json = daptor::json::finding(finding);
  json["ranks"] = ranks_of(finding);
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
