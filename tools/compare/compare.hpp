// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "compare/align.hpp"
#include "compare/judge.hpp"
#include "compare/trace_file.hpp"

namespace daptor::compare {

struct Options {
  int level = 1;               ///< 2: what is within solves, too
  std::optional<double> rtol;  ///< by which part numbers may differ, in place of rounding
};

/// Where one run has more events than the other.
struct More {
  const Trace* run = nullptr;
  const Item* first = nullptr;
  std::int64_t count = 0;
};

/// What the comparison of two runs says.
struct Comparison {
  const Trace& one;
  const Trace& other;
  Options options = {};

  std::int64_t equal = 0;                  ///< pairs before the first difference
  std::optional<Pair> first = {};          ///< the first pair that differs
  std::vector<Difference> numbers = {};    ///< by which it does
  std::optional<Pair> before = {};         ///< the last pair before it
  std::optional<Pair> object_before = {};  ///< the last one before it of the same object
  std::vector<More> more = {};             ///< up to the first difference
  std::vector<std::string> notes = {};     ///< likewise
  double of_solves = 0;  ///< relative difference that tolerances of solves have left
  /// A run that ended too early, while the other went on.
  const Trace* stopped = nullptr;

  bool differs() const { return first.has_value() || stopped != nullptr; }
};

/// The first difference of two runs; both must outlive the result.
/// @throws InvalidArgument for runs that have nothing in common
Comparison compare(const Trace& one, const Trace& other, const Options& options);

/// For people; with `color`, with escape sequences of a terminal.
void write_text(std::ostream& out, const Comparison& comparison, bool color);
void write_json(std::ostream& out, const Comparison& comparison);

}  // namespace daptor::compare
