// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace daptor::petsc::plugin::doctor {

/// What a report says besides the findings.
struct ReportHead {
  bool complete = false;  ///< the program has come to PetscFinalize on all ranks
  long looks = 0;
  double seconds = 0;
};

/// The file of `-daptor_check_report`. It is valid JSON at any time: a program may end by a signal,
/// MPI_Abort or exit(), in which nobody can write any more, so each process writes what it finds at
/// once, into a file with a temporary name that then takes the place of the report. Process-local.
///
/// Processes that write at the same time lock the folder of the file. Each replaces its own
/// findings, which it knows by their text, and leaves those of the others where they are.
class ReportFile {
 public:
  /// @param path  empty: no report is written. Links are followed; a device or a pipe is written to
  ///              at the end only.
  /// @param rank  in PETSC_COMM_WORLD
  ReportFile(const std::string& path, int rank);

  bool wanted() const { return !path_.empty(); }

  /// Begins a report without findings, in place of one of an earlier run.
  /// @returns whether it could be written
  bool begin(const ReportHead& head);
  /// Writes what this process has found so far.
  /// @param findings  of this process, each a JSON object on one line
  void update(const ReportHead& head, const std::vector<std::string>& findings);
  /// Writes the whole report.
  /// @param findings  of all processes
  /// @returns whether it could be written
  bool end(const ReportHead& head, const std::vector<std::string>& findings) const;

 private:
  bool replace(const std::string& text) const;

  std::string path_;
  std::string temporary_;
  bool replaceable_ = false;  ///< it is a file, or nothing yet
  std::vector<std::string> written_;
};

}  // namespace daptor::petsc::plugin::doctor
