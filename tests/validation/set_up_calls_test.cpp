// SPDX-License-Identifier: BSD-3-Clause
#include "set_up_calls.hpp"

namespace daptor::test {
namespace {

TEST(SetUpCalls, OfAProof) {
  const Arrays<double> arrays;
  const Comm world(MPI_COMM_WORLD);
  expect_rows("require_consistent",
              {{"even", arrays.even(), {1, 0}, {1, 0}},
               {"padded", arrays.padded(), {2, 2}, {1, 0}},
               {"uneven", arrays.uneven(), {2, 2}, {1, 0}},
               {"any order", arrays.any_order(), {4, 0}, {1, 0}},
               {"cyclic", arrays.cyclic_from_rank_1(), {2, 2}, {1, 0}},
               {"listed", arrays.listed(), {1, 0}, {1, 0}}},
              [&](const Section& array) { require_consistent(array.on(world)); });
}

TEST(SetUpCalls, OfAGlobalIndexMap) {
  const Arrays<double> arrays;
  const int line = steps_along_line();
  const int any_order = steps_in_any_order();
  expect_rows("GlobalIndexMap",
              {{"even", arrays.even(), {1, 0}, {1, 0}},
               {"padded", arrays.padded(), {2, 2}, {1, 0}},
               {"uneven", arrays.uneven(), {3, 2 + line}, {1, 0}},
               {"any order", arrays.any_order(), {5, any_order}, {1, 0}},
               {"cyclic", arrays.cyclic_from_rank_1(), {2, 2}, {1, 0}},
               {"listed", arrays.listed(), {1, 0}, {1, 0}}},
              [](const Section& array) { GlobalIndexMap map(array.on(MPI_COMM_WORLD)); });
}

TEST(SetUpCalls, OfAHaloExchange) {
  const Arrays<double> arrays;
  const int line = steps_along_line();
  const int any_order = steps_in_any_order();
  expect_rows("HaloExchange",
              {{"even", arrays.even(), {4, 0}, {4, 0}},
               {"padded", arrays.padded(), {5, 2}, {4, 0}},
               {"uneven", arrays.uneven(), {6, 2 + line}, {4, 0}},
               {"any order", arrays.any_order(), {14, any_order}, {10, 0}},
               {"listed", arrays.listed(), {5, 0}, {5, 0}}},
              [](const Section& array) { HaloExchange halo(array.on(MPI_COMM_WORLD)); });
}

TEST(SetUpCalls, OfARedistribution) {
  const Arrays<double> arrays;
  const int line = steps_along_line();
  const int any_order = steps_in_any_order();
  const DistArray target = arrays.even().on(MPI_COMM_WORLD);
  expect_rows("Redistribution",
              {{"even", arrays.even(), {5, 0}, {5, 0}},
               {"padded", arrays.padded(), {6, 2}, {5, 0}},
               {"uneven", arrays.uneven(), {7, 2 + line}, {5, 0}},
               {"any order", arrays.any_order(), {15, any_order}, {11, 0}},
               {"cyclic", arrays.cyclic_from_rank_1(), {6, 2}, {5, 0}},
               {"listed", arrays.listed(), {6, 0}, {6, 0}}},
              [&](const Section& array) { Redistribution copy(array.on(MPI_COMM_WORLD), target); });
}

}  // namespace
}  // namespace daptor::test
