// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daptor/report.hpp"
#include "daptor/version.hpp"

/// \file
/// Every rule of the protocol that Daptor knows, in one table, from which the documentation page,
/// `daptor rule` and the tests are made.

namespace daptor::protocol {

enum class RuleKind {
  requirement,  ///< can be broken: has an example that conforms and one that breaks it
  permission,   ///< something that a consumer must accept: has an example that uses it
  definition,   ///< fixes a meaning: has an example and its normal form
  advice,       ///< asks for something that no description can break
  version,      ///< a difference between 0.9.x and 0.10.x: has examples under both
  reading       ///< how Daptor reads a clause that can be read in several ways
};

/// How the specification expresses the rule.
enum class Force { stated, implied, permitted, advisory };

/// What is needed to judge it.
enum class Scope {
  process,                ///< one process's description alone
  process_indices,        ///< the same, in proportion to its list of indices: level `full`
  process_and_grid,       ///< the same, and the communicator's rank and size
  all_processes,          ///< communication
  all_processes_indices,  ///< communication in proportion to the indices: level `full`
  behaviour               ///< what the producer does, rather than its data: the conformance kit
};

/// One clause.
struct Rule {
  std::string_view id;  ///< `B09`
  RuleKind kind = RuleKind::requirement;
  std::string_view key;     ///< keys of the dictionary that the rule is about; may be empty
  std::string_view clause;  ///< what it asks for, permits or means
  std::string_view where;   ///< section of the specification
  Force force = Force::stated;
  Scope scope = Scope::process;
  /// False if no finding can result from the rule: for definitions, permissions, advice, and what
  /// one version allows.
  bool checked_0_9 = false;
  bool checked_0_10 = false;
  /// Severity of the worst finding, in Profile::recommended and in Profile::strict, by version;
  /// note if no finding can result from the rule.
  Severity severity = Severity::note;
  Severity severity_0_10 = Severity::note;
  Severity strict = Severity::note;
  Severity strict_0_10 = Severity::note;
  /// Ids under which it is reported, separated by ", "; empty if it is its own.
  std::string_view reported_as;
  std::string_view remedy;  ///< what to do about a breach; empty if there is nothing to do

  /// Whether a finding can result from the rule in any version.
  bool checked() const { return checked_0_9 || checked_0_10; }
  /// Severity of the worst finding, in one version and profile.
  Severity severity_for(Version::Rules rules, Profile profile) const {
    if (rules == Version::Rules::v0_10)
      return profile == Profile::strict ? strict_0_10 : severity_0_10;
    return profile == Profile::strict ? strict : severity;
  }
};

/// All rules in the order of the checklist: T, D, N, B, P, C, U, E, V, and the readings A. Made by
/// the first call, which may be on any thread.
const std::vector<Rule>& rules();

/// The rule with this id; null if there is none.
const Rule* find_rule(std::string_view id);

/// \name The words for these values in texts, such as `stated` or `all processes`
/// \{
std::string_view to_string(RuleKind kind);
std::string_view to_string(Force force);
std::string_view to_string(Scope scope);
/// \}

}  // namespace daptor::protocol
