// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "daptor/report.hpp"
#include "source_line.hpp"

/// \file
/// Lines that say which findings are meant: `rule  object  place`, in which `*` stands for any text
/// and `?` for one character. A pattern with blanks stands in double quotes.
///
///     # what the boundary does
///     check.mapping.owned-twice  "Vec 'pressure' (*)"  heat.py:periodic
///     check.mat.*                *                     assemble.cpp:*

namespace daptor::petsc::plugin::doctor {

/// Three patterns and where they stand.
struct Suppression {
  std::string rule, object, place;
  int number = 0;  ///< of the line, from 1
  long times = 0;  ///< how many findings it has suppressed
};

/// What a finding is about, as it stands in its text: `Vec 'pressure' (type mpi)`, or
/// `Mat 'stiffness' (type mpiaij), rows`; `calls` of one that is about no object.
std::string object_of(const Finding& finding);

/// The line that suppresses a finding, and others of the same rule at this object and in this
/// function. It is the same with other numbers of ranks, where types and sizes are others, and
/// after changes above the line.
std::string line_for(const Finding& finding, const SourceLine& place);

/// Suppressions in the order of their lines.
class Suppressions {
 public:
  Suppressions() = default;
  /// @param option  the one that names the file
  /// @param file    where the text comes from
  /// @param text    the lines
  /// @throws InvalidArgument with the number of a line that is none
  Suppressions(const std::string& option, const std::string& file, const std::string& text);

  /// Whether a line fits the finding; the first that does counts it. The place fits as
  /// `step.c:advance_velocity`, `step.c:214`, or either with the whole path.
  bool take(const Finding& finding, const SourceLine& place);
  const std::vector<Suppression>& lines() const { return lines_; }

 private:
  std::vector<Suppression> lines_;
};

}  // namespace daptor::petsc::plugin::doctor
