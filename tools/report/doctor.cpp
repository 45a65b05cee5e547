// SPDX-License-Identifier: BSD-3-Clause
#include "report/doctor.hpp"

#include <algorithm>
#include <istream>
#include <utility>

#include <nlohmann/json.hpp>

#include "json/recorded.hpp"

namespace daptor::report {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
T word_of(const Json& object, const char* key,
          std::initializer_list<std::pair<const char*, T>> words) {
  const auto text = object.at(key).get<std::string>();
  for (const auto& [word, value] : words)
    if (text == word) return value;
  throw Unreadable("json.form", std::string(key) + " '" + text + "'", "a report of the doctor");
}

Finding finding_of(const Json& json) {
  Finding finding =
      error_finding(json.at("rule"), -1, json.at("key"), json.at("found").get<std::string>(),
                    json.at("expected").get<std::string>(), json.at("remedy").get<std::string>());
  finding.severity = word_of<Severity>(
      json, "severity",
      {{"error", Severity::error}, {"warning", Severity::warning}, {"note", Severity::note}});
  if (!json.at("ranks").is_null()) finding.ranks = json.at("ranks").get<std::vector<int>>();
  finding.rank_count = json.at("rank_count");
  return finding;
}

ProgramPlace place_of(const Json& json) {
  if (json.is_null()) return {};
  return {json.value("file", ""), json.value("line", 0), json.at("function"),
          json.value("binary", "")};
}

DoctorFinding entry_of(const Json& json) {
  using State = DoctorFinding::State;
  return {finding_of(json),
          json.at("events"),
          json.at("times"),
          place_of(json.at("place")),
          word_of<State>(
              json, "state",
              {{"new", State::fresh}, {"known", State::known}, {"suppressed", State::suppressed}}),
          json.at("suppression")};
}

}  // namespace

Status DoctorReport::status(Severity from) const {
  const bool fails = std::any_of(findings.begin(), findings.end(),
                                 [&](const DoctorFinding& each) { return each.fails(from); });
  return fails ? Status::malformed : Status::done;
}

DoctorReport read_doctor(std::istream& in, const std::string& subject) {
  DoctorReport report{subject};
  try {
    const Json json = Json::parse(in);
    if (json.at("format") != 1)
      throw Unreadable("json.form", "format " + json.at("format").dump(), "format 1");
    report.complete = json.at("complete");
    report.looks = json.at("looks");
    report.seconds = json.at("seconds");
    for (const Json& each : json.at("findings")) report.findings.push_back(entry_of(each));
  } catch (const Json::parse_error& error) {
    throw Unreadable("json.syntax", error.what(), "JSON");
  } catch (const Json::exception& error) {
    throw Unreadable("json.form", error.what(), "a report of -daptor_check_report");
  }
  return report;
}

}  // namespace daptor::report
