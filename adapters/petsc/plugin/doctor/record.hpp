// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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
#include "source_line.hpp"

namespace daptor::petsc::plugin::doctor {

/// Whether reports can be written: the plug-in was built with nlohmann-json.
inline constexpr bool writes_reports = DAPTOR_DOCTOR_JSON;

/// What the doctor has found in a program, and what it has cost. On each process: findings about
/// objects on a communicator of which it is the first rank.
class Record {
 public:
  explicit Record(Counting counting) : counting_(std::move(counting)) {}

  /// Adds a finding, with ranks in numbers of PETSC_COMM_WORLD, and prints on stderr what is new.
  /// Process-local; several threads may add.
  /// @param where    the events in which it was found, the outermost first: `SNESSolve, KSPSolve`
  /// @param unnamed  number of the object, if it has no name; otherwise 0
  /// @returns whether it counts, and is severe enough to have consequences
  bool add(const Finding& finding, const std::string& where, std::int64_t unnamed = 0);
  const Counting& counting() const { return counting_; }
  /// Says on stderr, once for each sentence, what could not be done. Process-local.
  void cannot(const std::string& sentence);

  void count_look() { ++looks_; }
  void add_seconds(double seconds) { seconds_ += seconds; }

  /// Collective over PETSC_COMM_WORLD. On its rank 0, prints the summary on stderr and writes the
  /// report.
  /// @param report  path of a JSON file; may be empty; the same on all ranks
  void conclude(const std::string& report) const;

 private:
  struct Entry {
    Finding finding;
    std::string where;
    SourceLine place;
    State state = State::fresh;
    long times = 1;
  };
  void print(const Entry& entry);
  static std::string json_of(const Entry& entry);
  std::string lines() const;

  /// Python has ended when the report is written.
  const Rendering rendering_ = detail::rendering_of_program();
  Counting counting_;
  std::mutex adding_;
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> known_;  ///< places in `entries_`
  std::map<std::string, bool> said_;
  std::size_t printed_ = 0;
  long looks_ = 0;
  double seconds_ = 0;
};

}  // namespace daptor::petsc::plugin::doctor
