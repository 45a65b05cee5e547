// SPDX-License-Identifier: BSD-3-Clause
// A fault on one rank while a GlobalIndexMap is made and queried, and its effect on the others.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "daptor/detail/fault.hpp"
#include "daptor/global_index_map.hpp"
#include "daptor/simulated.hpp"
#include "everywhere.hpp"
#include "global_map_checks.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

std::set<std::string> seen_points;
std::string planted_point;
int planted_rank = -1;

void record_point(const char* point) {
  seen_points.insert(point);
}
void plant(const char* point) {
  if (detail::simulated_rank() == planted_rank && planted_point == point)
    throw std::runtime_error("planted at " + planted_point);
}

void inject_everywhere(int ranks, const std::set<std::string>& expected_points,
                       const std::function<void(const Comm&)>& call) {
  seen_points.clear();
  {
    const FaultHookGuard guard(&record_point);
    run_simulated(ranks, call);
  }
  const std::set<std::string> points = seen_points;
  EXPECT_TRUE(
      std::includes(points.begin(), points.end(), expected_points.begin(), expected_points.end()));
  const FaultHookGuard guard(&plant);
  for (const std::string& point : points) {
    planted_point = point;
    for (planted_rank = 0; planted_rank < ranks; ++planted_rank) {
      SCOPED_TRACE(point + " on rank " + std::to_string(planted_rank));
      run_simulated(ranks, [&](const Comm& comm) {
        EXPECT_EQ(expect_rule(comm, "library.c++", [&] { call(comm); }), planted_rank);
      });
    }
  }
}

TEST(GlobalIndexMapErrors, AFaultOnOneRankIsEverybodysError) {
  const Layout irregular{{block_axis({3, 0, 1}), cyclic_axis(9, 2, 2, 1)}, {}};
  inject_everywhere(
      6,
      {"core.global_index_map.prepare", "core.survey", "core.validate.neighbours",
       "core.validate.bounds"},
      [&](const Comm& comm) { GlobalIndexMap map(irregular.array(comm.rank()), comm); });
  const Layout permuted{{block_axis({3, 0, 1}), cyclic_axis(9, 2, 2, 1)}, {5, 1, 3, 2, 4, 0}};
  inject_everywhere(
      6,
      {"core.global_index_map.prepare", "core.survey", "core.validate.seats",
       "core.validate.forward", "core.validate.seated", "core.validate.bounds"},
      [&](const Comm& comm) { GlobalIndexMap map(permuted.array(comm.rank()), comm); });
}

TEST(GlobalIndexMapErrors, AFaultInACollectiveQueryIsEverybodysErrorAndPasses) {
  const Layout layout{{shuffled_axis(20, 5, 3)}, {}};
  inject_everywhere(
      5,
      {"core.global_index_map.prepare", "core.index_directory.entries",
       "core.index_directory.build", "core.index_directory.owners", "core.ask.questions",
       "core.ask.answers", "core.ask.results", "core.ranks_at.seats"},
      [&](const Comm& comm) {
        const GlobalIndexMap map(layout.array(comm.rank()), comm);
        map.ranks_at({{2}});
        map.owners_of_unstructured(0, {1, 2, 3});
      });
  // The map still answers after a fault.
  planted_rank = 2;
  planted_point = "core.index_directory.build";
  run_simulated(5, [&](const Comm& comm) {
    const GlobalIndexMap map(layout.array(comm.rank()), comm);
    if (comm.rank() == 0) detail::set_fault_hook(&plant);
    std::int64_t ready = 0;
    comm->allreduce(&ready, 1, Reduction::sum);
    expect_rule(comm, "library.c++", [&] { map.owners_of_unstructured(0, {1}); });
    comm->allreduce(&ready, 1, Reduction::sum);
    if (comm.rank() == 0) detail::set_fault_hook(nullptr);
    comm->allreduce(&ready, 1, Reduction::sum);
    check_map(map, layout, comm.rank());
  });
}

}  // namespace
