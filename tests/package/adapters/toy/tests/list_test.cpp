// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <mpi.h>
#include <toy.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "daptor/block_dimensions.hpp"
#include "daptor/builders.hpp"
#include "daptor/explain.hpp"
#include "daptor/toy.hpp"
#include "daptor/validate.hpp"
#include "everywhere.hpp"

namespace {

using namespace daptor;

TEST(Toy, IsStartedAroundTheTests) {
  EXPECT_EQ(toy_started(), 1);
}

TEST(Toy, ImportsWithoutACopy) {
  const auto dimensions = block_dimensions({20}, MPI_COMM_WORLD);
  std::vector<double> memory(static_cast<std::size_t>(local_count(dimensions)), 2.0);
  const DistArray array = describe(memory.data(), dimensions).on(MPI_COMM_WORLD);
  const toy::List list = toy::import_list(array);
  EXPECT_EQ(toy_list_values(list.get()), memory.data());
  EXPECT_EQ(toy_list_sum(list.get()), 2.0 * static_cast<double>(memory.size()));
}

TEST(Toy, ExportsWithoutACopy) {
  const auto dimensions = block_dimensions({20}, MPI_COMM_WORLD);
  std::vector<double> memory(static_cast<std::size_t>(local_count(dimensions)));
  const std::shared_ptr<toy_list> list(toy_list_on(memory.data(), static_cast<long>(memory.size())),
                                       toy_list_free);
  const DistArray array = toy::export_list(list.get(), dimensions).on(MPI_COMM_WORLD);
  EXPECT_EQ(array.data(), memory.data());
  EXPECT_TRUE(validate(array));
}

TEST(Toy, RefusesOnAllRanks) {
  for (int victim = 0; victim < test::world_size(); ++victim) {
    const auto dimensions = block_dimensions({20}, MPI_COMM_WORLD);
    std::vector<double> memory(static_cast<std::size_t>(local_count(dimensions)));
    const bool here = test::world_rank() == victim;
    const DistArray array =
        describe(DataType::of<double>(), memory.data(), dimensions, Order::c, here)
            .on(MPI_COMM_WORLD);
    test::expect_refused_everywhere<NotRepresentable>(
        "toy.list.readonly", [&] { toy::import_list(array); }, victim);
    const DistArray gap =
        describe(memory.data(), here ? std::vector<Dimension>{block(20, {1, 0})} : dimensions)
            .on(MPI_COMM_WORLD);
    if (test::world_size() > 1)
      test::expect_refused_everywhere<Malformed>("D14", [&] { toy::import_list(gap); });
  }
}

TEST(Toy, AFaultOnOneRankIsThrownOnAll) {
  const auto dimensions = block_dimensions({20}, MPI_COMM_WORLD);
  std::vector<double> memory(static_cast<std::size_t>(local_count(dimensions)));
  const DistArray array = describe(memory.data(), dimensions).on(MPI_COMM_WORLD);
  test::Faults().expect_agreed([&] { toy::import_list(array); });
}

TEST(Toy, ExplainKnowsItsTarget) {
  const auto dimensions = block_dimensions({20}, MPI_COMM_WORLD);
  std::vector<double> memory(2 * static_cast<std::size_t>(local_count(dimensions)));
  const std::vector<Index> every_second{2 * static_cast<Index>(sizeof(double))};
  const DistArray array = describe(memory.data(), dimensions, every_second).on(MPI_COMM_WORLD);
  const Explanation explanation = explain(array);
  const auto found =
      std::find_if(explanation.begin(), explanation.end(),
                   [](const Assessment& assessment) { return assessment.target == "toy.list"; });
  ASSERT_NE(found, explanation.end());
  EXPECT_FALSE(found->representable);
  EXPECT_THROW(toy::import_list(array), NotRepresentable);
}

}  // namespace
