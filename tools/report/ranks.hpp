// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace daptor::report {

/// Consecutive ranks, both ends included.
struct RankRun {
  int first = 0;
  int last = 0;
};

/// Combines `ranks`, which increase, to runs.
std::vector<RankRun> fold(const std::vector<int>& ranks);

/// `0-6, 9, 12-1023`. Ranks that do not fit into `most_runs` runs, and those that the list leaves
/// out, are counted: `and 17 more`. `total` is the number of all ranks, including those in the
/// list.
std::string folded(const std::vector<int>& ranks, std::int64_t total, std::size_t most_runs = 12);

}  // namespace daptor::report
