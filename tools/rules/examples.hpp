// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daptor/rules.hpp"

/// \file
/// Examples of the rules. They are written in `examples/*.txt` and compiled into the program.
///
/// An example is a heading and a description of all ranks in Daptor's JSON format; after a line
/// `means` comes its meaning, where the rule is about that:
///
///     [P01 conforms]
///     = halves
///     means
///     rank 0, dimension 0: owns [0, 5) of 10, extent 5
///     rank 1, dimension 0: owns [5, 10) of 10, extent 5
///
///     [P05 breaks: malformed, P06]
///     {"ranks": [...]}
///
/// The heading has the rule, what the example shows (`conforms`, `breaks`, `under 0.9` or
/// `under 0.10`), and unless it conforms without findings the verdict and the ids of the findings.
/// A heading without a rule's id, as `[halves]`, names a description that others refer to. Text
/// before the first heading of a file is a comment.

namespace daptor::examples {

/// What an example of a rule shows.
enum class ExampleKind {
  conforms,   ///< keeps the rule, or uses what it permits or defines
  breaks,     ///< what the rule is reported for
  under_0_9,  ///< a difference between versions: read by the rules of 0.9.x
  under_0_10  ///< the same description, or the same array, by the rules of 0.10.x
};

/// A description of all ranks and what it gives, at level `full` and in Profile::recommended.
struct RuleExample {
  std::string_view rule;
  ExampleKind kind = ExampleKind::conforms;
  /// In Daptor's JSON format.
  std::string description;
  Verdict verdict = Verdict::conforms;
  /// Ids of the rules with findings about it, warnings and notes included.
  std::vector<std::string_view> findings = {};
  /// The meaning of the description, a line for each rank and dimension; empty if the rule is about
  /// something else.
  std::string normal_form = {};
};

/// All examples, those of a rule one after the other. Read at the first call; safe to call from
/// several threads. Throws std::logic_error if a file is not in the form above.
const std::vector<RuleExample>& all();

/// The examples of one rule; none if its scope is `behaviour`.
std::vector<RuleExample> of(const protocol::Rule& rule);

/// The first example of this kind; `nullopt` if there is none.
std::optional<RuleExample> first_of(const protocol::Rule& rule, ExampleKind kind);

/// The examples in the text of a file, which the caller keeps alive. `shared` are files whose
/// descriptions the text may refer to. Throws std::logic_error, with the number of the line, if the
/// text is not in the form above.
std::vector<RuleExample> read(std::string_view text, const std::vector<std::string_view>& shared);

}  // namespace daptor::examples
