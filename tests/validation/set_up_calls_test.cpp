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
              [&](const DistArray& array) { require_consistent(array, world); });
}

TEST(SetUpCalls, OfAGlobalIndexMap) {
  const Arrays<double> arrays;
  const int line = steps_along_line();
  const int any_order = steps_in_any_order();
  expect_rows("GlobalIndexMap",
              {{"even", arrays.even(), {1, 0}, {1, 0}},
               {"padded", arrays.padded(), {2, 2}, {1, 0}},
               {"uneven", arrays.uneven(), {2, 2 + line}, {1, line}},
               {"any order", arrays.any_order(), {4, any_order}, {1, any_order}},
               {"cyclic", arrays.cyclic_from_rank_1(), {2, 2}, {1, 0}},
               {"listed", arrays.listed(), {1, 0}, {1, 0}}},
              [](const DistArray& array) { GlobalIndexMap map(array, MPI_COMM_WORLD); });
}

TEST(SetUpCalls, OfAHaloExchange) {
  const Arrays<double> arrays;
  const int line = steps_along_line();
  const int any_order = steps_in_any_order();
  expect_rows("HaloExchange",
              {{"even", arrays.even(), {10, 0}, {10, 0}},
               {"padded", arrays.padded(), {11, 2}, {10, 0}},
               {"uneven", arrays.uneven(), {11, 2 + line}, {10, line}},
               {"any order", arrays.any_order(), {18, any_order}, {15, any_order}},
               {"listed", arrays.listed(), {10, 0}, {10, 0}}},
              [](const DistArray& array) { HaloExchange halo(array, MPI_COMM_WORLD); });
}

TEST(SetUpCalls, OfARedistribution) {
  const Arrays<double> arrays;
  const int line = steps_along_line();
  const int any_order = steps_in_any_order();
  const DistArray target = arrays.even();
  expect_rows("Redistribution",
              {{"even", arrays.even(), {17, 0}, {17, 0}},
               {"padded", arrays.padded(), {18, 2}, {17, 0}},
               {"uneven", arrays.uneven(), {18, 2 + line}, {17, line}},
               {"any order", arrays.any_order(), {25, any_order}, {22, any_order}},
               {"cyclic", arrays.cyclic_from_rank_1(), {18, 2}, {17, 0}},
               {"listed", arrays.listed(), {18, 0}, {18, 0}}},
              [&](const DistArray& array) { Redistribution copy(array, target, MPI_COMM_WORLD); });
}

}  // namespace
}  // namespace daptor::test
