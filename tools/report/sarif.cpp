// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "daptor/config.hpp"
#include "report/doctor.hpp"
#include "report/finding_text.hpp"

namespace daptor::report {
namespace {

using Json = nlohmann::ordered_json;
using State = DoctorFinding::State;

/// A path as a part of a URI.
std::string encoded(std::string_view path) {
  constexpr std::string_view kept = "-._~/";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (letter || kept.find(c) != std::string_view::npos)
      text += c;
    else
      text += {'%', digits[byte / 16], digits[byte % 16]};
  }
  return text;
}

/// A file below the root is named from there, so that a report fits any checkout.
Json artifact_of(const std::string& file, const std::filesystem::path& root) {
  const std::filesystem::path path(file);
  if (path.is_relative()) return {{"uri", encoded(file)}};
  const std::filesystem::path inside = path.lexically_relative(root);
  if (inside.empty() || *inside.begin() == "..") return {{"uri", "file://" + encoded(file)}};
  return {{"uri", encoded(inside.string())}, {"uriBaseId", "%SRCROOT%"}};
}

/// Null if nothing is known. Python's names for what is in no file, as `<string>`, are no paths.
Json location_of(const ProgramPlace& place, const std::filesystem::path& root) {
  Json location;
  if (!place.file.empty() && place.file.front() != '<')
    location["physicalLocation"] = {{"artifactLocation", artifact_of(place.file, root)},
                                    {"region", {{"startLine", place.line}}}};
  if (!place.function.empty())
    location["logicalLocations"] = Json::array({{{"name", place.function}, {"kind", "function"}}});
  return location;
}

Json result_of(const DoctorFinding& entry, std::size_t rule, const std::filesystem::path& root) {
  Json json{{"ruleId", entry.finding.rule},
            {"ruleIndex", rule},
            {"level", word(entry.finding.severity)},
            {"message", {{"text", line_of(entry.finding)}}},
            {"locations", Json::array()},
            {"partialFingerprints", {{"suppression/v1", entry.suppression}}},
            {"occurrenceCount", entry.times},
            {"properties", {{"events", entry.events}}}};
  const Json location = location_of(entry.place, root);
  if (!location.is_null()) json["locations"].push_back(location);
  if (entry.state == State::suppressed)
    json["suppressions"] = Json::array({{{"kind", "external"}}});
  return json;
}

/// Rules have no text of their own in the report: what a finding expects, and what to do.
Json rule_of(const Finding& finding) {
  Json json{{"id", finding.rule},
            {"shortDescription", {{"text", finding.rule}}},
            {"fullDescription", {{"text", "Expected: " + finding.expected.str() + '.'}}},
            {"defaultConfiguration", {{"level", word(finding.severity)}}}};
  if (const std::string remedy = finding.remedy.str(); !remedy.empty())
    json["help"] = {{"text", remedy}};
  return json;
}

}  // namespace

void write_doctor_sarif(std::ostream& out, const DoctorReport& report, const std::string& root) {
  const std::filesystem::path folder = std::filesystem::absolute(root).lexically_normal();
  Json rules = Json::array(), results = Json::array();
  std::map<std::string, std::size_t> places;
  const bool compared =
      std::any_of(report.findings.begin(), report.findings.end(),
                  [](const DoctorFinding& each) { return each.state == State::known; });
  for (const DoctorFinding& each : report.findings) {
    const auto [place, is_new] = places.emplace(each.finding.rule, rules.size());
    if (is_new) rules.push_back(rule_of(each.finding));
    results.push_back(result_of(each, place->second, folder));
    // Results have it all or none.
    if (compared)
      results.back()["baselineState"] = each.state == State::known ? "unchanged" : "new";
  }
  const Json tool{
      {"driver", {{"name", "daptor"}, {"version", DAPTOR_VERSION_STRING}, {"rules", rules}}}};
  const std::string base = "file://" + encoded(folder.string());
  const Json run{
      {"tool", tool},
      {"originalUriBaseIds", {{"%SRCROOT%", {{"uri", base.back() == '/' ? base : base + '/'}}}}},
      {"columnKind", "utf16CodeUnits"},
      {"results", results}};
  const Json document{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
  out << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace daptor::report
