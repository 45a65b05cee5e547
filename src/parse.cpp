#include "daptor/parse.hpp"

#include "daptor/error.hpp"
#include "parse_section.hpp"
#include "section_shape.hpp"

namespace daptor {
namespace {

using parsing::Findings;

std::optional<Version> parse_version(const Value* value, Findings& findings) {
  if (value == nullptr) {
    findings.add("T03", "__version__", "no such key", "the keys __version__, buffer, dim_data");
    return std::nullopt;
  }
  const auto* text = value->as<std::string>();
  if (text == nullptr) {
    findings.add("T05", "__version__", value->text(), "a string");
    return std::nullopt;
  }
  std::string suffix;
  const auto version = Version::parse(*text, &suffix);
  if (!version) {
    findings.add("T06", "__version__", value->text(), "the form 'major.minor.patch'");
    return std::nullopt;
  }
  if (!suffix.empty())
    findings.add("A24", "__version__", value->text(), "three numeric parts", Severity::warning);
  if (!version->rules())
    findings.add(rule_unknown_version, "__version__", value->text(), "0.9.x or 0.10.x",
                 Severity::error, "Versions differ in what start, stop and padding mean.");
  return version;
}

std::vector<std::optional<Dimension>> parse_dimensions(const Value* value, Rules rules,
                                                       const std::optional<Buffer>& buffer,
                                                       Report& report) {
  Findings findings(report, -1);
  std::vector<std::optional<Dimension>> dimensions;
  if (value == nullptr) {
    findings.add("T03", "dim_data", "no such key", "the keys __version__, buffer, dim_data");
    return dimensions;
  }
  const auto* sequence = value->as<Sequence>();
  if (sequence == nullptr) {
    findings.add("T11", "dim_data", value->text(), "a tuple of dictionaries");
    return dimensions;
  }
  if (!sequence->tuple)
    findings.add("T11", "dim_data", "a list", "a tuple of dictionaries", Severity::warning);
  const bool same_ndim = buffer && buffer->ndim() == sequence->items.size();
  for (std::size_t d = 0; d < sequence->items.size(); ++d) {
    const auto extent = same_ndim ? std::optional(buffer->local_shape()[d]) : std::nullopt;
    dimensions.push_back(
        parsing::parse_dimension(sequence->items[d], static_cast<int>(d), rules, extent, report));
  }
  return dimensions;
}

/// Findings of the parts together; the array where none of them is an error.
std::optional<DistArray> assemble(Version version, const std::optional<Buffer>& buffer,
                                  const std::vector<std::optional<Dimension>>& parsed,
                                  Report& report) {
  std::vector<Dimension> dimensions;
  bool sound = true;
  for (std::size_t d = 0; d < parsed.size(); ++d) {
    sound = sound && parsed[d];
    if (!parsed[d]) continue;
    const Report clauses(check_dimension(*parsed[d], static_cast<int>(d), version));
    sound = sound && clauses;
    report.append(clauses);
    dimensions.push_back(*parsed[d]);
  }
  if (!sound || !buffer) return std::nullopt;
  report.append(section_shape(version, *buffer, dimensions).report);
  if (!report) return std::nullopt;
  return DistArray(version, *buffer, std::move(dimensions));
}

}  // namespace

Report parsing::refuse_warnings(const Report& report) {
  std::vector<Finding> findings = report.findings();
  for (Finding& finding : findings)
    if (finding.severity == Severity::warning) finding.severity = Severity::error;
  return Report(std::move(findings));
}

Parsed parse(const Value& description, Profile profile) {
  Parsed parsed;
  Report& report = parsed.report;
  Findings findings(report, -1);
  const auto* map = description.as<Map>();
  if (map == nullptr) {
    findings.add("T02", "", description.text(), "a dictionary");
    return parsed;
  }
  for (const auto& [key, value] : map->items) {
    if (key != "__version__" && key != "buffer" && key != "dim_data")
      findings.add("T04", key, "another key", "three keys: __version__, buffer, dim_data",
                   profile == Profile::strict ? Severity::error : Severity::note);
  }
  const auto version = parse_version(map->find("__version__"), findings);
  std::optional<Buffer> buffer;
  if (const Value* value = map->find("buffer")) {
    buffer = parsing::parse_buffer(*value, report);
  } else {
    findings.add("T03", "buffer", "no such key", "the keys __version__, buffer, dim_data");
  }
  const auto rules = version ? version->rules() : std::nullopt;
  // Without known rules start, stop and padding have no meaning to judge.
  if (rules) {
    const auto dimensions = parse_dimensions(map->find("dim_data"), *rules, buffer, report);
    if (map->find("dim_data") != nullptr && map->find("dim_data")->as<Sequence>() != nullptr)
      parsed.array = assemble(*version, buffer, dimensions, report);
  }
  if (profile == Profile::strict) report = parsing::refuse_warnings(report);
  if (!report) parsed.array.reset();
  return parsed;
}

DistArray parse_or_throw(const Value& description, Profile profile) {
  Parsed parsed = parse(description, profile);
  if (parsed.array) return *std::move(parsed.array);
  if (parsed.report.verdict() == Verdict::unsupported) throw Unsupported(std::move(parsed.report));
  throw Malformed(std::move(parsed.report));
}

}  // namespace daptor
