#pragma once

#include <string_view>
#include <vector>

#include "daptor/report.hpp"
#include "daptor/version.hpp"

/// \file
/// Every rule of the protocol that Daptor knows, in one table: the documentation page, `daptor
/// rule` and the tests are made of it.

namespace daptor {

enum class RuleKind {
  requirement,  ///< can be broken: has an example that conforms and one that breaks it
  permission,   ///< something that a consumer must accept: has an example that uses it
  definition,   ///< fixes a meaning: has an example and its normal form
  advice        ///< not checked, or noted only
};

/// How the specification puts it.
enum class Force { stated, implied, permitted, advisory };

/// What is needed to judge it.
enum class Scope {
  process,                ///< one process's description alone
  process_and_grid,       ///< the same, and the communicator's rank and size
  all_processes,          ///< communication
  all_processes_indices,  ///< communication in proportion to the indices: level `full`
  behaviour               ///< acts of the producer, not data: the conformance kit
};

/// One clause. All texts are static.
struct Rule {
  std::string_view id;  ///< `B09`
  RuleKind kind;
  std::string_view key;     ///< key of the dictionary that it is about; may be empty
  std::string_view clause;  ///< what it asks, in a sentence
  std::string_view where;   ///< section of the specification
  Force force;
  Scope scope;
  Severity severity;        ///< in Profile::recommended, version 0.9
  Severity severity_0_10;   ///< in Profile::recommended, version 0.10
  Severity strict;          ///< in Profile::strict
  std::string_view remedy;  ///< what to do about it
  /// Descriptions in Daptor's JSON format: one that conforms, and one that breaks this rule (empty
  /// for kinds that cannot be broken).
  std::string_view conforming;
  std::string_view breaking;
  /// Definitions and permissions: what the example means, one line a rank and dimension.
  std::string_view normal_form;

  Severity severity_for(Rules rules, Profile profile) const {
    if (profile == Profile::strict) return strict;
    return rules == Rules::v0_10 ? severity_0_10 : severity;
  }
};

/// All rules in the order of the checklist: T, D, N, B, P, C, U, E, V, and the readings A.
const std::vector<Rule>& rules();

/// The rule of this id, or a null pointer.
const Rule* find_rule(std::string_view id);

}  // namespace daptor
