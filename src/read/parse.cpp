// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/parse.hpp"

#include "daptor/error.hpp"
#include "read/misspelt.hpp"
#include "read/section.hpp"
#include "report/text.hpp"
#include "section/section_shape.hpp"

namespace daptor {
namespace {

using parsing::Findings;

constexpr const char* three_keys = "the three keys __version__, buffer and dim_data";

std::optional<Version> parse_version(const Value& value, Findings& findings) {
  const auto* text = value.as<std::string>();
  if (text == nullptr) {
    findings.add("T05", "__version__", value.text(), "a string");
    return std::nullopt;
  }
  std::string suffix;
  const auto version = Version::parse(*text, &suffix);
  if (!version) {
    findings.add("T06", "__version__", value.text(), "text of the form 'major.minor.patch'");
    return std::nullopt;
  }
  if (!suffix.empty())
    findings.add("A24", "__version__", value.text(), "three numbers without a suffix");
  if (!version->rules())
    findings.add(rule_unknown_version, "__version__", value.text(), "0.9.x or 0.10.x");
  return version;
}

/// The dimensions in order, with `nullopt` in place of those with errors; `nullopt` for all of them
/// if `value` is no sequence.
std::optional<std::vector<std::optional<Dimension>>> parse_dimensions(
    const Value& value, Version::Rules rules, const std::optional<Buffer>& buffer, Report& report) {
  Findings findings(report, -1);
  const auto* sequence = value.as<Sequence>();
  if (sequence == nullptr) {
    findings.add("T11", "dim_data", value.text(), "a tuple of dictionaries");
    return std::nullopt;
  }
  if (!sequence->tuple) findings.add_mild("T11", "dim_data", "a list", "a tuple of dictionaries");
  const bool same_ndim = buffer && buffer->ndim() == sequence->items.size();
  std::vector<std::optional<Dimension>> dimensions;
  for (std::size_t d = 0; d < sequence->items.size(); ++d) {
    const auto extent = same_ndim ? std::optional(buffer->local_shape()[d]) : std::nullopt;
    dimensions.push_back(
        parsing::parse_dimension(sequence->items[d], static_cast<int>(d), rules, extent, report));
  }
  return dimensions;
}

/// Adds the findings about the parts together; returns the array if none of them is an error.
std::optional<Section> assemble(Version version, const std::optional<Buffer>& buffer,
                                const std::vector<std::optional<Dimension>>& parsed,
                                Report& report) {
  const Report accepted = report;
  std::vector<Dimension> dimensions;
  bool sound = buffer.has_value();
  for (std::size_t d = 0; d < parsed.size(); ++d) {
    sound = sound && parsed[d];
    if (!parsed[d]) continue;
    const Report clauses(check_dimension(*parsed[d], static_cast<int>(d), version));
    sound = sound && clauses;
    report.append(clauses);
    dimensions.push_back(*parsed[d]);
  }
  if (!sound) return std::nullopt;
  report.append(section_shape(version, *buffer, dimensions).report);
  if (!report) return std::nullopt;
  return Section(version, *buffer, std::move(dimensions), accepted);
}

}  // namespace

void Findings::add_other_keys(const char* rule, const Dictionary& map,
                              const std::set<std::string_view>& known, const char* expected) {
  constexpr std::size_t most = 8;
  std::set<std::string_view> others;
  for (const auto& [key, value] : map.items)
    if (known.count(key) == 0) others.insert(key);
  std::size_t named = 0;
  for (const std::string_view key : others) {
    if (++named > most) break;
    const std::string_view meant = parsing::misspelt(key, map, known);
    if (meant.empty())
      add(rule, detail::quotable(key), "an unknown key", expected);
    else
      add_mild(
          rule, detail::quotable(key), "an unknown key", expected,
          "Write '" + std::string(meant) + "', if that is meant: the key as it is has no effect.");
  }
  if (others.size() > most)
    add(rule, "", std::to_string(others.size() - most) + " more keys", expected);
}

Parsed parse(const Value& description, Profile profile) {
  Parsed parsed;
  Report& report = parsed.report;
  Findings findings(report, -1);
  const auto* map = description.as<Dictionary>();
  if (map == nullptr) {
    findings.add("T02", "", description.text(), "a dictionary");
    return parsed;
  }
  for (const char* key : {"__version__", "buffer", "dim_data"})
    if (map->find(key) == nullptr) findings.add("T03", key, "no such key", three_keys);
  findings.add_other_keys("T04", *map, {"__version__", "buffer", "dim_data"}, three_keys);
  std::optional<Version> version;
  if (const Value* value = map->find("__version__")) version = parse_version(*value, findings);
  std::optional<Buffer> buffer;
  if (const Value* value = map->find("buffer")) buffer = parsing::parse_buffer(*value, report);
  // Without known rules the meaning of start, stop and padding is unknown.
  const bool known = version && version->rules();
  const Version::Rules rules = known ? *version->rules() : Version::Rules::v0_9;
  const Value* dim_data = map->find("dim_data");
  if (known && dim_data != nullptr) {
    const auto dimensions = parse_dimensions(*dim_data, rules, buffer, report);
    if (dimensions) parsed.array = assemble(*version, buffer, *dimensions, report);
  }
  if (profile == Profile::strict) report = detail::judged_strictly(report, rules);
  if (!report) parsed.array.reset();
  return parsed;
}

Section parse_or_throw(const Value& description, Profile profile) {
  Parsed parsed = parse(description, profile);
  if (!parsed.array) throw_verdict(parsed.report);
  return *std::move(parsed.array);
}

}  // namespace daptor
