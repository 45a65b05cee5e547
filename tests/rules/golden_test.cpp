// SPDX-License-Identifier: BSD-3-Clause
// Arrays whose meaning is known from other sources: the specification's own examples, the table of
// 0.10.0, and hand-made counts of cyclic dimensions.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "daptor/dimension.hpp"
#include "daptor/local_index_map.hpp"
#include "normal_form.hpp"
#include "recorded_judge.hpp"

namespace daptor {
namespace {

using test::judge;
using test::read_text;

Section section_of(const Recorded& recorded, std::size_t rank) {
  return parse_or_throw(std::get<Value>(recorded.ranks.at(rank)));
}

/// Expects one finding of this rule, a warning, and no others.
void expect_one_warning(const Report& report, const std::string& rule) {
  EXPECT_EQ(report.verdict(), Verdict::conforms);
  ASSERT_EQ(report.findings().size(), 1U) << report;
  EXPECT_EQ(report.findings()[0].rule, rule);
  EXPECT_EQ(report.findings()[0].severity, Severity::warning);
}

TEST(Golden, FirstExampleOfTheSpecification) {
  const Recorded recorded = read_text(R"({"ranks": [
    {"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [10]},
     "dim_data": [{"size": 2, "dist_type": "b", "proc_grid_rank": 0, "proc_grid_size": 2,
                   "start": 0, "stop": 1}, {"size": 10, "dist_type": "n"}]},
    {"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [10]},
     "dim_data": [{"size": 2, "dist_type": "b", "proc_grid_rank": 1, "proc_grid_size": 2,
                   "start": 1, "stop": 2}, {"size": 10, "dist_type": "n"}]}]})");
  const Report report = judge(recorded);
  expect_one_warning(report, "A03");
  EXPECT_EQ(report.findings()[0].rank_count, 2);
  const Section array = section_of(recorded, 1);
  EXPECT_EQ(array.local_shape(), (std::vector<Index>{1, 10}));
  EXPECT_EQ(array.byte_strides(), (std::vector<Index>{80, 8}));
}

TEST(Golden, SecondExampleOfTheSpecification) {
  const Recorded recorded = read_text(R"({"ranks": [
    {"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [10]},
     "dim_data": [{"size": 18, "dist_type": "b", "proc_grid_rank": 0, "proc_grid_size": 2,
                   "start": 0, "stop": 9, "padding": [1, 1]}]},
    {"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [10]},
     "dim_data": [{"size": 18, "dist_type": "b", "proc_grid_rank": 1, "proc_grid_size": 2,
                   "start": 9, "stop": 18, "padding": [1, 1]}]}]})");
  EXPECT_TRUE(judge(recorded).findings().empty()) << judge(recorded);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    const Section array = section_of(recorded, rank);
    EXPECT_EQ(array.local_count(), 10);
    EXPECT_EQ(array.owned_count(), 9);
  }
  EXPECT_EQ(LocalDimensionMap(section_of(recorded, 0).dimension(0)).global_of(9), 9);
  EXPECT_EQ(LocalDimensionMap(section_of(recorded, 1).dimension(0)).global_of(0), 8);
}

TEST(Golden, ThirdExampleOfTheSpecification) {
  const Recorded recorded = read_text(R"({"ranks": [
    {"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [7]},
     "dim_data": [{"size": 30, "dist_type": "u", "proc_grid_rank": 0, "proc_grid_size": 3,
                   "indices": [19, 1, 0, 12, 2, 15, 4]}]},
    {"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [3]},
     "dim_data": [{"size": 30, "dist_type": "u", "proc_grid_rank": 1, "proc_grid_size": 3,
                   "indices": [6, 13, 3]}]},
    {"__version__": "0.9.0", "buffer": {"dtype": "<f8", "shape": [20]},
     "dim_data": [{"size": 30, "dist_type": "u", "proc_grid_rank": 2, "proc_grid_size": 3,
                   "indices": [10, 25, 5, 21, 7, 18, 11, 26, 29, 24, 23, 28, 14, 20, 9, 16, 27, 8,
                               17, 22]}]}]})");
  expect_one_warning(judge(recorded), "A10");
  std::vector<int> owners(30, 0);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    const auto array = section_of(recorded, rank);
    for (const Index index : array.dimension(0).as<Unstructured>()->indices)
      ++owners.at(static_cast<std::size_t>(index));
  }
  EXPECT_EQ(owners, std::vector<int>(30, 1));
}

/// The paddings (4, 1), (1, 2), (2, 3), (3, 0) of blocks of ten, as 0.10.0 writes them: start and
/// stop include all padding.
TEST(Golden, PaddingTableOfVersion010) {
  const Recorded recorded = read_text(R"({"ranks": [
    {"__version__": "0.10.0", "buffer": {"dtype": "<f8", "shape": [11]},
     "dim_data": [{"size": 40, "dist_type": "b", "proc_grid_rank": 0, "proc_grid_size": 4,
                   "start": 0, "stop": 11, "padding": [4, 1]}]},
    {"__version__": "0.10.0", "buffer": {"dtype": "<f8", "shape": [13]},
     "dim_data": [{"size": 40, "dist_type": "b", "proc_grid_rank": 1, "proc_grid_size": 4,
                   "start": 9, "stop": 22, "padding": [1, 2]}]},
    {"__version__": "0.10.0", "buffer": {"dtype": "<f8", "shape": [15]},
     "dim_data": [{"size": 40, "dist_type": "b", "proc_grid_rank": 2, "proc_grid_size": 4,
                   "start": 18, "stop": 33, "padding": [2, 3]}]},
    {"__version__": "0.10.0", "buffer": {"dtype": "<f8", "shape": [13]},
     "dim_data": [{"size": 40, "dist_type": "b", "proc_grid_rank": 3, "proc_grid_size": 4,
                   "start": 27, "stop": 40, "padding": [3, 0]}]}]})");
  EXPECT_TRUE(judge(recorded).findings().empty()) << judge(recorded);
  for (std::size_t rank = 0; rank < 4; ++rank) {
    const auto block = *section_of(recorded, rank).dimension(0).as<Block>();
    const Index start = 10 * static_cast<Index>(rank);
    EXPECT_EQ(block.owned, (IndexRange{start, start + 10}));
  }
  EXPECT_EQ(section_of(recorded, 0).dimension(0).boundary_padding(), (Padding{4, 0}));
}

TEST(Golden, CountsOfCyclicDimensions) {
  struct Case {
    Index size, block_size;
    std::vector<Index> counts;
  };
  for (const Case& c : {Case{7, 2, {4, 3}}, Case{5, 2, {2, 2, 1}}, Case{10, 3, {6, 4}}}) {
    const auto processes = static_cast<Index>(c.counts.size());
    for (Index rank = 0; rank < processes; ++rank) {
      const Dimension dimension = cyclic(c.size, {processes, rank}, c.block_size);
      EXPECT_EQ(dimension.owned_count(), c.counts[static_cast<std::size_t>(rank)])
          << c.size << " in blocks of " << c.block_size << ", grid rank " << rank;
    }
  }
}

}  // namespace
}  // namespace daptor
