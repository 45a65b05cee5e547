// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "daptor/explain.hpp"

/// \file
/// What targets say about an array, as text and as JSON.

namespace daptor::report {

/// A library that Daptor was built with.
struct Library {
  std::string name;   ///< of the adapter, or `mpi`
  std::string built;  ///< `PETSc 3.18.5, real double, 32-bit indices`
  /// What this process has loaded, in the same words; empty where that cannot be asked.
  std::string found = {};
  /// Why the adapter cannot use what was found, or does not load; empty where all is well.
  std::string error = {};

  /// Whether `explain` asks about it: not so of an adapter without targets.
  bool has_targets = true;

  /// `built`, and what was found where that is something else.
  std::string text() const;
};

/// What a target says, in the words of one language.
struct TargetVerdict {
  /// `call`, `copy.text` and the reasons are in these words. What a reason suggests to copy is a
  /// part of its `remedy`.
  Assessment assessment;
  std::string copy_condition;  ///< what must be true before the copy; empty if nothing must
  std::string sizes = {};      ///< `Assessment::sizes`
};

/// A finding in the words of a language, with what to do about it.
Finding in_words_of(Language language, Finding finding);
/// The verdicts in the words of a language; a call that it does not have is named in C++'s.
std::vector<TargetVerdict> in_words_of(Language language, const Explanation& explanation);

/// Whether any of them moves elements between processes.
bool moves_elements(const std::vector<TargetVerdict>& verdicts);

/// For what the verdicts hold.
struct ExplainedFor {
  std::vector<Library> libraries;
  std::string within_node;  ///< how ranks of a node exchange elements; empty if none are moved
};

/// Writes text for people; with `color`, with escape sequences of a terminal. The last lines say
/// for what the verdicts hold.
void write_explanation(std::ostream& out, const std::vector<TargetVerdict>& verdicts,
                       const ExplainedFor& held_for, bool color);

/// Writes JSON according to `daptor-explain.schema.json`, without `libraries` if there are none.
void write_explanation_json(std::ostream& out, const std::string& subject,
                            const std::vector<TargetVerdict>& verdicts,
                            const ExplainedFor& held_for);

}  // namespace daptor::report
