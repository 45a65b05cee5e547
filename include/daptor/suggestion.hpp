// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "daptor/terms.hpp"

namespace daptor {

/// A call that is suggested where another is refused: a copy that a target could hold, for example.
/// It is data, which each language writes in its own words.
///
/// Example: `{"petsc.copy_to_vec", {{"read_from_any", "true"}},
/// Name{"daptor::petsc::copy_to_vec(a, {PETSC_DECIDE, false, true})",
/// "a.copy_to_petsc(read_from_any=True)"}}`.
struct Suggestion {
  /// Adapter and function, as `petsc.copy_to_vec`; a function of the core has no adapter. Empty if
  /// nothing is suggested.
  std::string function;
  /// Names and values of the options that the call needs, apart from their defaults. Values are
  /// `true`, numbers or names of enumerators.
  std::vector<std::pair<std::string, std::string>> options;
  /// The call as a program writes it, with `a` for the array; in a language that does not have it,
  /// nothing is suggested.
  Terms text;

  explicit operator bool() const { return !function.empty(); }
  bool has(const char* option) const;
  /// What must be true before the call, as a sentence; empty if nothing must. A copy that reads
  /// elements from any of the processes that have them (`read_from_any`) is right only if all of
  /// them have the same value.
  Terms condition() const;

  friend bool operator==(const Suggestion& a, const Suggestion& b) {
    return a.function == b.function && a.options == b.options && a.text == b.text;
  }
  friend bool operator!=(const Suggestion& a, const Suggestion& b) { return !(a == b); }
};

/// The sentence that suggests it, with its condition; empty if nothing is suggested.
/// @param other  whether another remedy stands before the sentence: ` Or copy: <call>.` instead of
///               `Copy the array: <call>.`
Terms sentence(const Suggestion& suggestion, bool other);

}  // namespace daptor
