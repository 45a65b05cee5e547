// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "daptor/report.hpp"
#include "report/outcome.hpp"

/// \file
/// What the doctor (`-daptor_check_report`) has found in a program, and its forms for people and
/// for build servers. The file has the form of `daptor-doctor.schema.json`.

namespace daptor::report {

/// A place in the program; empty where nothing is known.
struct ProgramPlace {
  std::string file;         ///< path; empty without debug information
  int line = 0;             ///< from 1; 0 without a file
  std::string function;     ///< may be empty
  std::string binary = {};  ///< the program or library, where there is no line
};

struct DoctorFinding {
  /// What becomes of it: it counts, an earlier report has it, or a file says that it is meant.
  enum class State { fresh, known, suppressed };

  Finding finding;
  std::string events;  ///< in which it was found, the outermost first
  std::int64_t times = 1;
  ProgramPlace place = {};
  State state = State::fresh;
  std::string suppression = {};  ///< the line that suppresses it; stays the same from run to run

  /// Whether it counts, and is at least as severe as `from`.
  bool fails(Severity from) const { return state == State::fresh && finding.severity >= from; }
};

/// One run of a program.
struct DoctorReport {
  std::string subject;   ///< the file
  bool complete = true;  ///< the program has come to PetscFinalize on all ranks
  std::int64_t looks = 0;
  double seconds = 0;
  std::vector<DoctorFinding> findings = {};

  /// `malformed` if a finding fails, otherwise `done`.
  Status status(Severity from) const;
};

/// Reads what `-daptor_check_report` has written. Throws Unreadable.
DoctorReport read_doctor(std::istream& in, const std::string& subject);

/// Text for people; with `color`, with escape sequences of a terminal.
void write_doctor_text(std::ostream& out, const DoctorReport& report, Severity from, bool color);

/// JUnit XML: a test case for each finding that is severe enough, or a single one, `no findings`.
/// Those that do not count are skipped; less severe ones are text.
void write_doctor_junit(std::ostream& out, const DoctorReport& report, Severity from);

/// SARIF 2.1.0, as code hosts show it beside the lines.
/// @param root  the folder of the sources: files below it are named from there
void write_doctor_sarif(std::ostream& out, const DoctorReport& report, const std::string& root);

}  // namespace daptor::report
