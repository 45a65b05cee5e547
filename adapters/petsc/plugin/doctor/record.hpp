// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "counting.hpp"
#include "daptor/petsc/adapter/callback.hpp"
#include "daptor/report.hpp"
#include "report_file.hpp"
#include "source_line.hpp"

namespace daptor::petsc::plugin::doctor {

/// Whether reports can be written: the plug-in was built with nlohmann-json.
inline constexpr bool writes_reports = DAPTOR_DOCTOR_JSON;

/// What the doctor has found in a program, and what it has cost. On each process: findings about
/// objects on a communicator of which it is the first rank, and what it has found alone.
class Record {
 public:
  /// Collective over PETSC_COMM_WORLD. Begins the report.
  /// @param report  path of a JSON file; may be empty; the same on all ranks
  /// @param counting  which findings count
  Record(const std::string& report, Counting counting);
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;
  /// If the session has not come to its end, as in exit(): prints what this process has found
  /// alone, and writes the report. Process-local.
  ~Record();

  /// Adds a finding, with ranks in numbers of PETSC_COMM_WORLD, prints on stderr what is new, and
  /// writes it into the report. Process-local; several threads may add.
  /// @param where    the events in which it was found, the outermost first: `SNESSolve, KSPSolve`
  /// @param unnamed  number of the object, if it has no name; otherwise 0
  /// @returns whether it counts, and is severe enough to have consequences
  bool add(const Finding& finding, const std::string& where, std::int64_t unnamed = 0);
  /// Adds what this process has found where other ranks cannot be asked. It is printed at the end,
  /// with the ranks that have found the same. Process-local.
  /// @param object  the same text on all ranks of the object, and another one of other objects
  /// @param named   whether the object has a name, by which it is known if it is made anew
  void add_alone(const Finding& finding, const std::string& where, const std::string& object,
                 bool named);
  /// Says on stderr, once for each sentence, what could not be done, or is no finding.
  /// Process-local.
  void say(const std::string& sentence);
  const Counting& counting() const { return counting_; }
  /// Writes the report as far as it goes, before the job is aborted. Process-local.
  void save();

  /// On the first rank of the object only, so that each look is counted once.
  void count_look() { ++looks_; }
  void count_comparison() { ++comparisons_; }
  void add_seconds(double seconds) { seconds_ += seconds; }

  /// Collective over PETSC_COMM_WORLD. On its rank 0, prints the summary on stderr and writes the
  /// report.
  void conclude();

 private:
  struct Entry {
    Finding finding;
    std::string where;
    SourceLine place;
    State state = State::fresh;
    long times = 1;
  };
  struct Alone {
    Finding finding;
    std::string where, object;
    bool named;
    SourceLine place;
  };
  bool add_at(const SourceLine* place, const Finding& finding, const std::string& where,
              std::int64_t unnamed);
  void print(const Entry& entry);
  static std::string json_of(const Entry& entry);
  std::string lines() const;
  std::vector<std::string> findings() const;
  ReportHead head() const { return {false, looks_, seconds_}; }
  void save_in_time();
  void save_now();
  void gather_alone();

  /// Python has ended when the report is written.
  const Rendering rendering_ = detail::rendering_of_program();
  Counting counting_;
  const int rank_;
  const pid_t process_;
  std::mutex adding_;
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> known_;  ///< places in `entries_`
  std::vector<Alone> alone_;
  std::map<std::string, bool> said_;
  std::size_t printed_ = 0;
  long looks_ = 0;
  long comparisons_ = 0;
  double seconds_ = 0;
  bool concluded_ = false;

  const std::string path_;
  ReportFile file_;
  std::chrono::steady_clock::time_point saved_at_{};
};

}  // namespace daptor::petsc::plugin::doctor
