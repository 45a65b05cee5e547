// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

#include "daptor/rules.hpp"

namespace daptor::rule_table {

using namespace protocol;

inline constexpr Severity error = Severity::error;
inline constexpr Severity warning = Severity::warning;
inline constexpr Severity note = Severity::note;

/// Writes down one rule. Texts are string literals.
class Entry {
 public:
  Entry(std::string_view id, RuleKind kind, std::string_view key, std::string_view clause,
        std::string_view where);

  Entry& stated(Scope scope) { return place(Force::stated, scope); }
  Entry& implied(Scope scope) { return place(Force::implied, scope); }
  Entry& permitted(Scope scope) { return place(Force::permitted, scope); }
  Entry& advisory(Scope scope) { return place(Force::advisory, scope); }

  /// The rule is found with this severity under both versions; in the strict profile a warning
  /// becomes an error.
  Entry& found(Severity severity);
  Entry& found_in_0_10(Severity severity);
  Entry& not_in_0_10();
  Entry& strict(Severity severity);
  Entry& reported_as(std::string_view ids);
  Entry& remedy(std::string_view text);

  operator Rule() const { return rule_; }

 private:
  Entry& place(Force force, Scope scope);

  Rule rule_;
};

inline Entry requirement(std::string_view id, std::string_view key, std::string_view clause,
                         std::string_view where) {
  return {id, RuleKind::requirement, key, clause, where};
}
inline Entry permission(std::string_view id, std::string_view key, std::string_view clause,
                        std::string_view where) {
  return {id, RuleKind::permission, key, clause, where};
}
inline Entry definition(std::string_view id, std::string_view key, std::string_view clause,
                        std::string_view where) {
  return {id, RuleKind::definition, key, clause, where};
}
inline Entry advice(std::string_view id, std::string_view key, std::string_view clause,
                    std::string_view where) {
  return {id, RuleKind::advice, key, clause, where};
}
inline Entry difference(std::string_view id, std::string_view key, std::string_view clause) {
  return {id, RuleKind::version, key, clause, "0.10.0, against 0.9.0"};
}
inline Entry reading(std::string_view id, std::string_view key, std::string_view clause,
                     std::string_view where) {
  return {id, RuleKind::reading, key, clause, where};
}

/// \name The sections of the checklist
/// \{
std::vector<Rule> top_level_rules();      // T
std::vector<Rule> dimension_rules();      // D01-D11, D22-D27
std::vector<Rule> grid_rules();           // D12-D21
std::vector<Rule> undistributed_rules();  // N
std::vector<Rule> block_rules();          // B
std::vector<Rule> padding_rules();        // P
std::vector<Rule> cyclic_rules();         // C
std::vector<Rule> unstructured_rules();   // U
std::vector<Rule> empty_rules();          // E
std::vector<Rule> version_rules();        // V
std::vector<Rule> reading_rules();        // A
/// \}

/// \name Sections of the specification
/// \{
inline constexpr std::string_view where_exporting = "Exporting a Distributed Array";
inline constexpr std::string_view where_dictionaries = "Dimension Dictionaries";
inline constexpr std::string_view where_required = "Required key-value pairs";
inline constexpr std::string_view where_optional = "Optional key-value pairs";
inline constexpr std::string_view where_block = "Distribution-type specific keys, block";
inline constexpr std::string_view where_padding = "Distribution-type specific keys, block, padding";
inline constexpr std::string_view where_cyclic = "Distribution-type specific keys, cyclic";
inline constexpr std::string_view where_unstructured =
    "Distribution-type specific keys, unstructured";
inline constexpr std::string_view where_undistributed =
    "Distribution-type specific keys, no-distribution";
inline constexpr std::string_view where_constraints = "General constraints";
inline constexpr std::string_view where_definitions = "Definitions";
inline constexpr std::string_view where_overview = "Overview";
/// \}

}  // namespace daptor::rule_table
