// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daptor/report.hpp"
#include "daptor/version.hpp"

/// \file
/// Every rule of the protocol that Daptor knows, in one table: the documentation page, `daptor
/// rule` and the tests are made of it.

namespace daptor::protocol {

enum class RuleKind {
  requirement,  ///< can be broken: has an example that conforms and one that breaks it
  permission,   ///< something that a consumer must accept: has an example that uses it
  definition,   ///< fixes a meaning: has an example and its normal form
  advice,       ///< asks for something that no description can break
  version,      ///< a difference between 0.9.x and 0.10.x: has examples under both
  reading       ///< how Daptor reads a clause that can be read in several ways
};

/// How the specification puts it.
enum class Force { stated, implied, permitted, advisory };

/// What is needed to judge it.
enum class Scope {
  process,                ///< one process's description alone
  process_indices,        ///< the same, in proportion to its list of indices: level `full`
  process_and_grid,       ///< the same, and the communicator's rank and size
  all_processes,          ///< communication
  all_processes_indices,  ///< communication in proportion to the indices: level `full`
  behaviour               ///< acts of the producer, not data: the conformance kit
};

/// One clause.
struct Rule {
  std::string_view id;  ///< `B09`
  RuleKind kind = RuleKind::requirement;
  std::string_view key;     ///< keys of the dictionary that it is about; may be empty
  std::string_view clause;  ///< what it asks, permits or means
  std::string_view where;   ///< section of the specification
  Force force = Force::stated;
  Scope scope = Scope::process;
  /// False where no finding can come of it: definitions, permissions, advice, and what one version
  /// allows.
  bool checked_0_9 = false;
  bool checked_0_10 = false;
  /// Of the worst finding, in Profile::recommended and Profile::strict, by version; note where no
  /// finding can come of it.
  Severity severity = Severity::note;
  Severity severity_0_10 = Severity::note;
  Severity strict = Severity::note;
  Severity strict_0_10 = Severity::note;
  /// Ids under which it is reported, separated by ", "; empty: its own.
  std::string_view reported_as;
  std::string_view remedy;  ///< what to do about it; empty where there is nothing to mend

  /// Whether a finding can come of it in any version.
  bool checked() const { return checked_0_9 || checked_0_10; }
  /// Of the worst finding, in a version and a profile.
  Severity severity_for(Version::Rules rules, Profile profile) const {
    if (rules == Version::Rules::v0_10)
      return profile == Profile::strict ? strict_0_10 : severity_0_10;
    return profile == Profile::strict ? strict : severity;
  }
};

/// All rules in the order of the checklist: T, D, N, B, P, C, U, E, V, and the readings A. Built at
/// the first call; safe to call from several threads.
const std::vector<Rule>& rules();

/// The rule of this id, or a null pointer.
const Rule* find_rule(std::string_view id);

/// \name The words for these in text, as `stated` or `all processes`
/// \{
std::string_view to_string(RuleKind kind);
std::string_view to_string(Force force);
std::string_view to_string(Scope scope);
/// \}

}  // namespace daptor::protocol
