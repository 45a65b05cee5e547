// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "daptor/report.hpp"
#include "source_line.hpp"
#include "suppressions.hpp"

namespace daptor::petsc::plugin::doctor {

/// What becomes of a finding.
enum class State {
  fresh,      ///< it counts
  known,      ///< an earlier report has it (`-daptor_check_baseline`)
  suppressed  ///< a line of a file says that it is meant (`-daptor_check_suppress`)
};

/// `new`, `known`, `suppressed`
const char* word_of(State state);

/// Which findings count, and what follows for the exit status of the program.
class Counting {
 public:
  /// All count, and nothing follows.
  Counting() = default;
  /// Collective over PETSC_COMM_WORLD. Reads the options of the program and the files that they
  /// name, on rank 0.
  /// @throws InvalidArgument, on all ranks, for values that are none and for files that cannot be
  ///         read
  static Counting of_program();

  /// What becomes of a finding at this place. Process-local.
  State state_of(const Finding& finding, const SourceLine& place);
  /// Whether a finding that is not in the files is severe enough to have consequences.
  bool is_severe(Severity severity) const { return severity >= from_; }
  /// A severe finding counts: this process ends with the status that is asked for, if one is, even
  /// if it does not come to PetscFinalize. Process-local.
  void end_severely() const;
  /// Collective over PETSC_COMM_WORLD. From now on rank 0 alone ends so, and after the others of
  /// its machine.
  /// @param severe  on rank 0: whether a severe finding of any rank counts
  void end_together(bool severe) const;

  /// Collective over PETSC_COMM_WORLD. On its rank 0, says on stderr which lines of the file of
  /// suppressions no rank has used.
  void tell_unused() const;

 private:
  Suppressions suppressions_, baseline_;
  std::string suppressions_file_;
  Severity from_ = Severity::error;
  int status_ = 0;
};

}  // namespace daptor::petsc::plugin::doctor
