// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "daptor/suggestion.hpp"
#include "daptor/terms.hpp"

namespace daptor {

enum class Severity { note, warning, error };

/// The verdict on a description as a whole. If there are several errors, the kind that is last in
/// this list decides.
enum class Verdict {
  conforms,     ///< no finding is an error; warnings and notes are allowed
  malformed,    ///< breaks a rule
  unsupported,  ///< has a version, distribution or element type that Daptor lacks (T07, D04, A26)
  producer_failed  ///< a producer threw instead of describing its array
};

/// How implied and ambiguous clauses count.
enum class Profile {
  recommended,  ///< the recommended readings of the checklist's section 8
  strict        ///< the same, but its warnings are errors
};

/// \name Rules that decide more than malformed
/// \{
inline constexpr const char* rule_unknown_version = "T07";
inline constexpr const char* rule_unknown_distribution = "D04";
/// Elements of a type that DataType cannot hold: text, objects, records.
inline constexpr const char* rule_unsupported_elements = "A26";
/// A C struct has another layout; not a rule of the checklist.
inline constexpr const char* rule_unknown_abi = "abi.version";
/// A producer failed; not a rule of the checklist.
inline constexpr const char* rule_producer = "producer";
/// \}

/// One broken rule, or one reason why a target cannot hold an array.
///
/// Example, on a rank whose block ends before it starts:
/// `{"B04", Severity::error, {1}, 1, 0, "stop", "start 7, stop 3", "stop greater than start", ""}`.
struct Finding {
  /// Id of the rule in the checklist (`B09`), or of a constraint of a target (`petsc.vec.one-run`).
  std::string rule;
  Severity severity = Severity::error;
  /// The ranks at fault, lowest first; after a collective check at most
  /// `ValidateOptions::listed_ranks` of them. Empty if every rank is at fault, or the rank is not
  /// known.
  std::vector<int> ranks;
  /// Number of ranks at fault, including those that `ranks` leaves out.
  std::int64_t rank_count = 0;
  /// The array dimension, or -1 if the finding is about the array as a whole.
  int dimension = -1;
  /// Key of the dictionary that the finding is about; may be empty.
  std::string key;
  /// What was found, with its values.
  Terms found;
  /// What the clause asks for.
  Terms expected;
  /// What to do about it, apart from `copy`; may be empty.
  Terms remedy;
  /// A copy of the array that does what the array cannot; often there is none.
  Suggestion copy = {};

  /// The lowest rank at fault, or -1.
  int rank() const { return ranks.empty() ? -1 : ranks.front(); }

  friend bool operator==(const Finding& a, const Finding& b);
  friend bool operator!=(const Finding& a, const Finding& b) { return !(a == b); }
};

/// An error on a rank that is not known yet.
/// @param rule       id of the rule
/// @param dimension  the array dimension; -1 if the finding is about the array as a whole
/// @param key        key of the dictionary; may be empty
/// @param found      what was found, with its values: a phrase without a full stop
/// @param expected   what the clause asks for: a phrase without a full stop
/// @param remedy     what to do; if it is empty, the remedy in the table of rules is used
///                   (`daptor/rules.hpp`)
Finding error_finding(std::string rule, int dimension, std::string key, Terms found, Terms expected,
                      Terms remedy = {});

/// What to do about it: `remedy` and the sentence that suggests `copy`.
Terms advice(const Finding& finding);

/// `B04 error, rank 1, dimension 0, 'stop': found start 7, stop 3; expected stop greater than
/// start`
std::ostream& operator<<(std::ostream& out, const Finding& finding);
std::string to_string(const Finding& finding);
/// The same in the terms of a language.
std::string to_string(const Finding& finding, const Rendering& rendering);

/// All findings about one array, and the verdict that follows from them.
class Report {
 public:
  Report() = default;
  explicit Report(std::vector<Finding> findings);

  /// In the order in which they were added.
  const std::vector<Finding>& findings() const { return findings_; }
  /// Adds a finding at the end.
  void add(Finding finding);
  /// Adds all findings of another report at the end.
  void append(Report other);

  /// True if the description conforms.
  explicit operator bool() const { return verdict() == Verdict::conforms; }
  Verdict verdict() const;

  /// The first error among those that decide the verdict; null if there is none.
  const Finding* first_error() const;
  /// Whether a finding of any severity has this rule id.
  bool has(const std::string& rule) const;

 private:
  std::vector<Finding> findings_;
};

std::ostream& operator<<(std::ostream& out, const Report& report);
std::string to_string(const Report& report, const Rendering& rendering = {});
std::ostream& operator<<(std::ostream& out, Severity severity);
std::ostream& operator<<(std::ostream& out, Verdict verdict);

}  // namespace daptor
