// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <mpi.h>

namespace bench {

/// Lower quartile, median and upper quartile.
struct Quartiles {
  double lower = 0;
  double median = 0;
  double upper = 0;
};
Quartiles quartiles(std::vector<double> values);

/// Times of two ways of doing the same work, taken in turn in one run, so that what disturbs the
/// machine disturbs both. Seconds for one repetition; of each repetition the slowest rank counts.
struct Pairs {
  std::vector<double> ours;
  std::vector<double> theirs;

  Quartiles ratio() const;
  /// Ours less theirs, in seconds.
  Quartiles excess() const;
};

struct Effort {
  int pairs = 41;   ///< measured pairs
  int batch = 1;    ///< repetitions timed together
  int warm_up = 3;  ///< pairs not measured
};

/// Collective. The order within a pair alternates.
Pairs alternate(MPI_Comm comm, const Effort& effort, const std::function<void()>& ours,
                const std::function<void()>& theirs);

/// As `alternate`, where each side returns the seconds that count (slowest rank's), for work of
/// which a part is set aside.
Pairs alternate_timed(MPI_Comm comm, const Effort& effort, const std::function<double()>& ours,
                      const std::function<double()>& theirs);

/// A goal is met where the median is at or under it, missed where the lower quartile is over it,
/// else undecided.
std::string judged(const Quartiles& measured, double goal);

/// Seconds as text with a fitting unit, and a median with its quartiles.
std::string time_text(double seconds);
std::string time_text(const Quartiles& seconds);
std::string ratio_text(const Quartiles& ratio);

/// A Markdown table, printed by rank 0 as it is filled.
class Table {
 public:
  Table(MPI_Comm comm, const std::string& title, std::vector<std::string> columns);
  void row(const std::vector<std::string>& cells) const;

 private:
  bool prints_;
};

}  // namespace bench
