// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "daptor/petsc/adapter/callback.hpp"
#include "daptor/report.hpp"

namespace daptor::petsc::plugin::doctor {

/// Whether reports can be written: the plug-in was built with nlohmann-json.
inline constexpr bool writes_reports = DAPTOR_DOCTOR_JSON;

/// What the doctor has found in a program, and what it has cost. On each process: findings about
/// objects on a communicator of which it is the first rank.
class Record {
 public:
  /// Adds a finding, with ranks in numbers of PETSC_COMM_WORLD, and prints on stderr what is new.
  /// Process-local; several threads may add.
  /// @param where    the events in which it was found, the outermost first: `SNESSolve, KSPSolve`
  /// @param unnamed  number of the object, if it has no name; otherwise 0
  void add(const Finding& finding, const std::string& where, std::int64_t unnamed = 0);
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
    long times = 1;
  };
  std::string lines() const;

  /// Python has ended when the report is written.
  const Rendering rendering_ = detail::rendering_of_program();
  std::mutex adding_;
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> known_;  ///< places in `entries_`
  std::map<std::string, bool> said_;
  long looks_ = 0;
  double seconds_ = 0;
};

}  // namespace daptor::petsc::plugin::doctor
