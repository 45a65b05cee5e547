// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <mpi.h>
#include <toy.h>

#include <algorithm>
#include <vector>

#include "daptor/builders.hpp"
#include "daptor/explain.hpp"
#include "daptor/toy.hpp"

namespace {

using namespace daptor;

TEST(Toy, IsStartedAroundTheTests) {
  EXPECT_EQ(toy_started(), 1);
}

TEST(Toy, ImportsWithoutACopy) {
  const auto dimensions = block_dimensions({20}, MPI_COMM_WORLD);
  std::vector<double> memory(static_cast<std::size_t>(local_count(dimensions)), 2.0);
  const DistArray array = describe(memory.data(), dimensions);
  const toy::List list = toy::import_list(array, MPI_COMM_WORLD);
  EXPECT_EQ(toy_list_values(list.get()), memory.data());
  EXPECT_EQ(toy_list_sum(list.get()), 2.0 * static_cast<double>(memory.size()));
}

TEST(Toy, ExplainKnowsItsTarget) {
  const auto dimensions = block_dimensions({20, 3}, MPI_COMM_WORLD);
  std::vector<double> memory(static_cast<std::size_t>(local_count(dimensions)));
  const DistArray array = describe(memory.data(), dimensions);
  const Explanation explanation = explain(array, MPI_COMM_WORLD);
  const auto found =
      std::find_if(explanation.begin(), explanation.end(),
                   [](const Assessment& assessment) { return assessment.target == "toy.list"; });
  ASSERT_NE(found, explanation.end());
  EXPECT_FALSE(found->representable);
  EXPECT_THROW(toy::import_list(array, MPI_COMM_WORLD), NotRepresentable);
}

}  // namespace
