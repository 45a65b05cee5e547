// SPDX-License-Identifier: BSD-3-Clause
// Recorded arrays judged in one process: which ranks the findings name, and what is said if ranks
// are missing.

#include "cli/judge.hpp"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "daptor/error.hpp"
#include "daptor/simulated.hpp"

namespace daptor::cli {
namespace {

/// A section of a one-dimensional array with ten elements per rank.
Dictionary section(int ranks, int rank) {
  Dictionary dimension;
  dimension.set("dist_type", "b");
  dimension.set("size", 10 * ranks);
  dimension.set("proc_grid_size", ranks);
  dimension.set("proc_grid_rank", rank);
  dimension.set("start", 10 * rank);
  dimension.set("stop", 10 * rank + 10);
  RawBuffer buffer;
  buffer.format = "d";
  buffer.itemsize = 8;
  buffer.shape = {10};
  Dictionary map;
  map.set("__version__", "0.9.0");
  map.set("buffer", buffer);
  map.set("dim_data", Sequence{{dimension}, true});
  return map;
}

Recorded blocks(int ranks) {
  Recorded recorded;
  recorded.nranks = ranks;
  for (int rank = 0; rank < ranks; ++rank) recorded.ranks.emplace_back(section(ranks, rank));
  return recorded;
}

void drop(Recorded& recorded, int rank, const std::string& key) {
  Dictionary map =
      *std::get<Value>(recorded.ranks.at(static_cast<std::size_t>(rank))).as<Dictionary>();
  Dictionary rest;
  for (auto& [name, value] : map.items)
    if (name != key) rest.set(name, value);
  recorded.ranks.at(static_cast<std::size_t>(rank)) = rest;
}

Report judged(const Recorded& recorded, Level level = Level::full) {
  return judge(recorded, {level, Profile::recommended});
}

std::vector<Report> judged_on_ranks(const Recorded& recorded, int listed) {
  std::vector<Report> reports(recorded.ranks.size());
  run_simulated(recorded.nranks, [&](const Comm& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    reports[rank] = validate(submission(recorded.ranks[rank]), comm,
                             {Level::full, Profile::recommended, listed});
  });
  return reports;
}

TEST(Judge, NamesAsManyRanksAsAreAskedFor) {
  Recorded recorded = blocks(40);
  std::vector<int> at_fault;
  for (int rank = 1; rank < 40; rank += 2) {
    drop(recorded, rank, "buffer");
    at_fault.push_back(rank);
  }
  for (const int listed : {0, 1, 3, 8, 9, 19, 20, 100}) {
    SCOPED_TRACE(listed);
    const auto expected = static_cast<std::size_t>(std::min(std::max(listed, 1), 20));
    for (const Report& report : judged_on_ranks(recorded, listed)) {
      ASSERT_EQ(report.findings().size(), 1U) << report;
      const Finding& finding = report.findings()[0];
      EXPECT_EQ(finding.rank_count, 20);
      EXPECT_EQ(finding.ranks,
                std::vector<int>(at_fault.begin(),
                                 at_fault.begin() + static_cast<std::ptrdiff_t>(expected)));
    }
  }
  EXPECT_EQ(judged(recorded).findings().at(0).ranks, at_fault);
}

TEST(Judge, KeepsFindingsAboutDifferentKeysApart) {
  Recorded recorded = blocks(3);
  drop(recorded, 0, "buffer");
  drop(recorded, 1, "dim_data");
  drop(recorded, 2, "dim_data");
  for (const bool partial : {false, true}) {
    if (partial) recorded.nranks = 4;
    const Report report = judged(recorded);
    ASSERT_EQ(report.findings().size(), 2U) << report;
    for (const Finding& finding : report.findings()) {
      const bool buffer = finding.key == "buffer";
      EXPECT_EQ(finding.ranks, buffer ? std::vector<int>{0} : (std::vector<int>{1, 2}));
    }
  }
}

TEST(Judge, SaysTheSameOfMissingRanksWhateverIsTheirNumber) {
  Recorded recorded = blocks(3);
  recorded.nranks = 1000000000;
  EXPECT_TRUE(judged(recorded)) << "local rules do not know the number of ranks";
  drop(recorded, 0, "buffer");
  drop(recorded, 1, "buffer");
  drop(recorded, 2, "buffer");
  const Report report = judged(recorded);
  ASSERT_EQ(report.findings().size(), 1U);
  EXPECT_EQ(report.findings()[0].ranks, (std::vector<int>{0, 1, 2}));
}

TEST(Judge, LooksForIndicesTwiceWhereRanksAreMissing) {
  std::istringstream text(R"({"nranks": 2, "ranks": [
    {"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [3]},
     "dim_data": [{"dist_type": "u", "size": 6, "proc_grid_size": 2, "proc_grid_rank": 0,
                   "indices": {"dtype": "<i8", "values": [4, 1, 4]}}]}]})");
  const Recorded recorded = read_recorded(text);
  const Report report = judged(recorded);
  ASSERT_TRUE(report.has("U04")) << report;
  EXPECT_EQ(report.findings()[0].ranks, std::vector<int>{0});
  EXPECT_TRUE(judged(recorded, Level::metadata));
}

TEST(Judge, AProducerThatFailedIsAFinding) {
  Recorded recorded = blocks(2);
  recorded.ranks[1] = ProducerError{"no memory"};
  EXPECT_EQ(judged(recorded).verdict(), Verdict::producer_failed);
  recorded.nranks = 3;
  EXPECT_EQ(judged(recorded).verdict(), Verdict::producer_failed);
}

TEST(Judge, RefusesMoreRanksThanItHasRoomFor) {
  Recorded recorded = blocks(2);
  recorded.ranks.resize(most_ranks + 1);
  recorded.nranks = most_ranks + 1;
  EXPECT_THROW(judged(recorded), InvalidArgument);
}

}  // namespace
}  // namespace daptor::cli
