// SPDX-License-Identifier: BSD-3-Clause
#include "rules/words.hpp"

namespace daptor::rule_words {
namespace {

std::string word(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

std::string kind_text(const protocol::Rule& rule, const examples::RuleExample& example) {
  switch (example.kind) {
    case examples::ExampleKind::conforms:
      return rule.kind == protocol::RuleKind::requirement ? "Keeps it" : "Conforms";
    case examples::ExampleKind::breaks:
      return rule.severity == Severity::error ? "Breaks it" : "Gives a finding";
    case examples::ExampleKind::under_0_9:
      return "Under 0.9.x";
    case examples::ExampleKind::under_0_10:
      break;
  }
  return "Under 0.10.x";
}

}  // namespace

const std::vector<Section>& sections() {
  static const std::vector<Section> all = {
      {'T', "The dictionary"},
      {'D', "Every dimension, and the process grid"},
      {'N', "Undistributed dimensions"},
      {'B', "Blocks"},
      {'P', "Padding"},
      {'C', "Cyclic and block-cyclic dimensions"},
      {'U', "Unstructured dimensions"},
      {'E', "Empty sections"},
      {'V', "Differences between 0.9.x and 0.10.x"},
      {'A', "How Daptor reads what can be read in several ways"}};
  return all;
}

std::string severity_text(const protocol::Rule& rule) {
  if (!rule.checked()) return "no finding comes of it";
  const std::string in_0_9 = rule.checked_0_9 ? word(rule.severity) : "none";
  const std::string in_0_10 = rule.checked_0_10 ? word(rule.severity_0_10) : "none";
  std::string text = in_0_9;
  if (in_0_10 != in_0_9) text += " under 0.9.x, " + in_0_10 + " under 0.10.x";
  const bool refused_when_strict =
      rule.severity == Severity::note && rule.strict == Severity::error;
  if (refused_when_strict) text += "; error in the strict profile";
  return text;
}

std::string example_title(const protocol::Rule& rule, const examples::RuleExample& example,
                          const std::function<std::string(std::string_view id)>& show) {
  std::string text = kind_text(rule, example);
  const bool versions = example.kind == examples::ExampleKind::under_0_9 ||
                        example.kind == examples::ExampleKind::under_0_10;
  if (versions) text += example.verdict == Verdict::conforms ? ": conforms" : ": malformed";
  const bool itself_alone = example.findings.size() == 1 && example.findings[0] == rule.id;
  if (example.findings.empty() || (itself_alone && !versions)) return text;
  text += versions ? ", with " : ", reported as ";
  for (std::size_t i = 0; i < example.findings.size(); ++i)
    text += (i == 0 ? "" : ", ") + show(example.findings[i]);
  return text;
}

}  // namespace daptor::rule_words
