// SPDX-License-Identifier: BSD-3-Clause
#include "report/rules/table.hpp"
#include "report/rules/sections.hpp"

#include <algorithm>
#include <utility>

namespace daptor::rule_table {

namespace {

Severity refused_when_strict(Severity severity) {
  return severity == Severity::warning ? Severity::error : severity;
}

}  // namespace

Entry::Entry(std::string_view id, RuleKind kind, std::string_view key, std::string_view clause,
             std::string_view where) {
  rule_.id = id;
  rule_.kind = kind;
  rule_.key = key;
  rule_.clause = clause;
  rule_.where = where;
}

Entry& Entry::place(Force force, Scope scope) {
  rule_.force = force;
  rule_.scope = scope;
  return *this;
}

Entry& Entry::found(Severity severity) {
  rule_.checked_0_9 = true;
  rule_.severity = severity;
  rule_.strict = refused_when_strict(severity);
  return found_in_0_10(severity);
}

Entry& Entry::found_in_0_10(Severity severity) {
  rule_.checked_0_10 = true;
  rule_.severity_0_10 = severity;
  rule_.strict_0_10 = refused_when_strict(severity);
  return *this;
}

Entry& Entry::not_in_0_10() {
  rule_.checked_0_10 = false;
  rule_.severity_0_10 = rule_.strict_0_10 = Severity::note;
  return *this;
}

Entry& Entry::strict(Severity severity) {
  rule_.strict = rule_.strict_0_10 = severity;
  return *this;
}

Entry& Entry::reported_as(std::string_view ids) {
  rule_.reported_as = ids;
  return *this;
}

Entry& Entry::remedy(std::string_view text) {
  rule_.remedy = text;
  return *this;
}

namespace {

std::vector<Rule> whole_table() {
  std::vector<Rule> table;
  for (const auto part : {top_level_rules, dimension_rules, grid_rules, undistributed_rules,
                          block_rules, padding_rules, cyclic_rules, unstructured_rules, empty_rules,
                          version_rules, reading_rules}) {
    const std::vector<Rule> rules = part();
    table.insert(table.end(), rules.begin(), rules.end());
  }
  // By section; within a section by number.
  std::sort(table.begin(), table.end(), [&](const Rule& a, const Rule& b) {
    return std::pair(sections.find(a.id[0]), a.id) < std::pair(sections.find(b.id[0]), b.id);
  });
  return table;
}

}  // namespace
}  // namespace daptor::rule_table

namespace daptor::protocol {

const std::vector<Rule>& rules() {
  static const std::vector<Rule> table = rule_table::whole_table();
  return table;
}

const Rule* find_rule(std::string_view id) {
  const auto at =
      std::find_if(rules().begin(), rules().end(), [&](const Rule& rule) { return rule.id == id; });
  return at == rules().end() ? nullptr : &*at;
}

std::string_view to_string(RuleKind kind) {
  switch (kind) {
    case RuleKind::requirement:
      return "requirement";
    case RuleKind::permission:
      return "permission";
    case RuleKind::definition:
      return "definition";
    case RuleKind::advice:
      return "advice";
    case RuleKind::version:
      return "difference between versions";
    case RuleKind::reading:
      return "reading";
  }
  return "";
}

std::string_view to_string(Force force) {
  switch (force) {
    case Force::stated:
      return "stated";
    case Force::implied:
      return "implied";
    case Force::permitted:
      return "permitted";
    case Force::advisory:
      return "advisory";
  }
  return "";
}

std::string_view to_string(Scope scope) {
  switch (scope) {
    case Scope::process:
      return "one process";
    case Scope::process_indices:
      return "one process, its indices (level full)";
    case Scope::process_and_grid:
      return "one process and the communicator's rank and size";
    case Scope::all_processes:
      return "all processes";
    case Scope::all_processes_indices:
      return "all processes, their indices (level full)";
    case Scope::behaviour:
      return "behaviour of the producer (conformance kit)";
  }
  return "";
}

}  // namespace daptor::protocol
