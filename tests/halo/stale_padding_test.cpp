// SPDX-License-Identifier: BSD-3-Clause
// stale_padding: copies that differ from their owners are found and named, and nothing is written.

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <daptor/daptor.hpp>

#include "../support/everywhere.hpp"
#include "../support/world.hpp"

namespace daptor {
namespace {

using daptor::test::world_rank;
using daptor::test::world_size;

/// Local elements of this rank, and the array on them.
template <class T>
struct Field {
  std::vector<T> values;
  DistArray array;
};

/// The elements are their own row-major numbers, on every rank but in its padding.
template <class T>
Field<T> numbered(std::vector<Dimension> dimensions) {
  Field<T> field;
  const LocalIndexMap map(dimensions);
  for (const Index number : map.local_natural())
    field.values.push_back(static_cast<T>(static_cast<double>(number)));
  field.array = describe(field.values, std::move(dimensions)).on(MPI_COMM_WORLD);
  return field;
}

/// 4 rows for each rank and 3 columns, periodic in both, with padding of width 1 around.
std::vector<Dimension> periodic_block() {
  BlockOptions options;
  options.periodic = {true, true};
  options.ghosts = {1};
  options.grid = {world_size(), 1};
  return block_dimensions({Index{4} * world_size(), 3}, MPI_COMM_WORLD, options);
}

/// Four elements for each rank, and as ghosts the first one of the next rank and the last one of
/// the rank before, if there are any.
std::vector<Dimension> list() {
  const Index size = Index{4} * world_size(), first = Index{4} * world_rank();
  std::vector<Index> indices{first, first + 1, first + 2, first + 3};
  if (world_size() > 1)
    for (const Index ghost : {(first + 4) % size, (first + size - 1) % size})
      if (std::find(indices.begin(), indices.end(), ghost) == indices.end())
        indices.push_back(ghost);
  return {owned_then_ghosts(size, test::line(), IndexList(indices), 4)};
}

void expect_right(const DistArray& array, const HaloOptions& options = {}) {
  const Report report = stale_padding(array, options);
  EXPECT_TRUE(report.findings().empty()) << report;
}

/// Collective. The only finding, the same on all ranks.
Finding the_finding(const DistArray& array, const HaloOptions& options = {}) {
  const Report report = stale_padding(array, options);
  std::ostringstream text;
  text << report;
  test::expect_same_everywhere(text.str());
  EXPECT_EQ(report.findings().size(), 1U) << report;
  EXPECT_FALSE(report);
  if (report.findings().empty()) return {};
  const Finding& finding = report.findings().front();
  EXPECT_EQ(finding.rule, "check.ghosts.stale");
  return finding;
}

void expect_says(const Finding& finding, const std::string& words) {
  EXPECT_NE(finding.found.str().find(words), std::string::npos) << finding;
}

TEST(StalePadding, UpdatedCopiesAreRight) {
  for (const auto& dimensions : {periodic_block(), list()}) {
    Field<double> field = numbered<double>(dimensions);
    expect_right(field.array);
    const std::vector<double> before = field.values;
    for (double& value : field.values) value *= 2;
    update_padding(field.array);
    expect_right(field.array);
    EXPECT_NE(field.values, before);
  }
}

TEST(StalePadding, OfABlockNamesElementRankAndDifference) {
  Field<double> field = numbered<double>(periodic_block());
  // The first owned row of rank 0 is the lower padding of rank size - 1's upper end.
  const int reader = world_size() - 1;
  double* const owned = &field.values[1 * 5 + 2];
  if (world_rank() == 0) *owned += 2.5;
  const std::vector<double> before = field.values;
  const Finding finding = the_finding(field.array);
  EXPECT_EQ(field.values, before) << "the array was written";
  expect_says(finding, "array of " + std::to_string(4 * world_size()) + " x 3 elements of float64");
  // Column 1 is a copy only across the periodic end of the rows.
  expect_says(finding, "the copy of element (0, 1) holds 1, and its owner has 3.5; 1 of 18 copies");
  expect_says(finding, "largest difference of all ranks is 2.5, on rank " + std::to_string(reader));
  if (world_size() > 1) {
    EXPECT_EQ(finding.ranks, std::vector<int>{reader});
  }
  update_padding(field.array);
  expect_right(field.array);
}

TEST(StalePadding, OfAListNamesElementRankAndDifference) {
  Field<std::int64_t> field = numbered<std::int64_t>(list());
  if (world_size() == 1) return expect_right(field.array);
  const int last = world_size() - 1;
  const std::size_t previous = field.values.size() - 1;
  if (world_rank() == last) field.values[previous] = (std::int64_t{1} << 60) + 1;
  const Finding finding = the_finding(field.array);
  EXPECT_EQ(finding.ranks, std::vector<int>{last}) << finding;
  expect_says(finding, "the copy of element (" + std::to_string(4 * last - 1) +
                           ") holds 1152921504606846977, and its owner has " +
                           std::to_string(4 * last - 1) + "; 1 of 2 copies");
}

TEST(StalePadding, FindsTheLargestDifferenceOfAllRanks) {
  Field<double> field = numbered<double>(periodic_block());
  field.values.front() += world_rank() + 1;  // a corner
  const Finding finding = the_finding(field.array);
  EXPECT_EQ(finding.ranks.size(), world_size() == 1 ? finding.ranks.size() : 0U) << finding;
  expect_says(finding, "the largest difference of all ranks is " + std::to_string(world_size()) +
                           ", on rank " + std::to_string(world_size() - 1));
  // A star does not exchange corners.
  expect_right(field.array, {Stencil::star});
}

TEST(StalePadding, ReadsAnyElements) {
  using Complex = std::complex<float>;
  Field<Complex> field = numbered<Complex>(periodic_block());
  expect_right(field.array);
  field.values.front() += Complex(3, -4);
  expect_says(the_finding(field.array), "the largest difference of all ranks is 5, on rank 0");

  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Field<double> numbers = numbered<double>(periodic_block());
  for (double& value : numbers.values) value = nan;
  expect_right(numbers.array);
  numbers.values.front() = -1;
  expect_says(the_finding(numbers.array), "holds -1, and its owner has nan");
  expect_says(the_finding(numbers.array), "the largest difference of all ranks is inf");
  for (double& value : numbers.values) value = 0;
  numbers.values.front() = -0.0;
  expect_right(numbers.array);
}

TEST(StalePadding, ReadsArraysThatMayNotBeWritten) {
  const Field<double> field = numbered<double>(periodic_block());
  expect_right(field.array.as_readonly().on(MPI_COMM_WORLD));
  EXPECT_THROW(update_padding(field.array.as_readonly().on(MPI_COMM_WORLD)), InvalidArgument);
}

TEST(StalePadding, RefusesWhatAnExchangeRefuses) {
  const DistArray without =
      Section(numbered<double>(periodic_block()).array).with_memory(nullptr).on(MPI_COMM_WORLD);
  EXPECT_THROW(stale_padding(without), InvalidArgument);
  if (world_size() == 1) return;
  const HaloOptions options{world_rank() == 0 ? Stencil::star : Stencil::box};
  EXPECT_THROW(stale_padding(numbered<double>(periodic_block()).array, options), InvalidArgument);
}

}  // namespace
}  // namespace daptor
