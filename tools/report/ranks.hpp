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

/// `ranks`, which increase, as runs.
std::vector<RankRun> fold(const std::vector<int>& ranks);

/// `0-6, 9, 12-1023`; what does not go into `most_runs` runs, or is not in the list at all, as
/// `and 17 more`. `total` is how many ranks there are, those in the list included.
std::string folded(const std::vector<int>& ranks, std::int64_t total, std::size_t most_runs = 12);

}  // namespace daptor::report
