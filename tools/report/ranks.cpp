// SPDX-License-Identifier: BSD-3-Clause
#include "report/ranks.hpp"

#include <algorithm>

namespace daptor::report {

std::vector<RankRun> fold(const std::vector<int>& ranks) {
  std::vector<RankRun> runs;
  for (const int rank : ranks) {
    if (!runs.empty() && runs.back().last + 1 == rank) {
      runs.back().last = rank;
    } else {
      runs.push_back({rank, rank});
    }
  }
  return runs;
}

std::string folded(const std::vector<int>& ranks, std::int64_t total, std::size_t most_runs) {
  const std::vector<RankRun> runs = fold(ranks);
  std::string text;
  std::int64_t left = total;
  for (std::size_t i = 0; i < std::min(runs.size(), most_runs); ++i) {
    const auto [first, last] = runs[i];
    text += (i == 0 ? "" : ", ") + std::to_string(first);
    // A run of two ranks is shorter as a list.
    if (last > first) text += (last == first + 1 ? ", " : "-") + std::to_string(last);
    left -= last - first + 1;
  }
  if (left > 0) text += " and " + std::to_string(left) + " more";
  return text;
}

}  // namespace daptor::report
