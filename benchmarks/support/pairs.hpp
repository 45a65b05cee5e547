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

/// Times of two ways of doing the same work, in seconds per repetition. They are taken in turn in
/// one run, so that what disturbs the machine disturbs both; the slowest rank of each repetition
/// counts.
struct Pairs {
  std::vector<double> ours;
  std::vector<double> theirs;

  Quartiles ratio() const;
  /// Daptor's time less the other's, in seconds.
  Quartiles excess() const;
};

struct Effort {
  int pairs = 41;   ///< number of measured pairs
  int batch = 1;    ///< number of repetitions timed together
  int warm_up = 3;  ///< number of pairs that are run first and not measured
};

/// Collective. The order within a pair alternates.
Pairs alternate(MPI_Comm comm, const Effort& effort, const std::function<void()>& ours,
                const std::function<void()>& theirs);

/// Like `alternate`, for work of which only a part counts: each side returns the seconds that
/// count, of the slowest rank.
Pairs alternate_timed(MPI_Comm comm, const Effort& effort, const std::function<double()>& ours,
                      const std::function<double()>& theirs);

/// The place of a measurement in the report (report.py).
struct Place {
  std::string question;    ///< the plot
  std::string what;        ///< what was done
  std::string at;          ///< on what, such as a size
  std::string beside;      ///< the other way
  double goal = 0;         ///< of the ratio of our time to the other's; 0: none
  double excess_goal = 0;  ///< of our time less the other's, in seconds; 0: none
};
/// Names the file in which `keep` writes; without it `keep` does nothing.
void keep_in(const std::string& path);
/// Rank 0 appends a line of JSON with the times of all pairs.
void keep(MPI_Comm comm, const Place& place, const Pairs& pairs);

/// "met" if the median is at or below the goal, "missed" if the lower quartile is above it, else
/// "undecided".
std::string judged(const Quartiles& measured, double goal);

/// Seconds as text with a suitable unit, and a median with its quartiles.
std::string time_text(double seconds);
std::string time_text(const Quartiles& seconds);
std::string ratio_text(const Quartiles& ratio);

/// A Markdown table, which rank 0 prints row by row.
class Table {
 public:
  Table(MPI_Comm comm, const std::string& title, std::vector<std::string> columns);
  void row(const std::vector<std::string>& cells) const;

 private:
  bool prints_;
};

}  // namespace bench
