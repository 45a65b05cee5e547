// SPDX-License-Identifier: BSD-3-Clause
// What building a GlobalIndexMap refuses, and what a fault on one rank does to the others.

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "daptor/detail/fault.hpp"
#include "daptor/global_index_map.hpp"
#include "daptor/simulated.hpp"
#include "global_map_checks.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

// Wrong descriptions. Each rank in turn is the one at fault.

void expect_malformed(const Comm& comm, const std::string& rule, const std::vector<Dimension>& mine,
                      int named) {
  const DistArray array = describe(DataType::of<double>(), nullptr, mine);
  EXPECT_EQ(expect_rule(comm, rule, [&] { GlobalIndexMap map(array, comm); }), named);
}

TEST(GlobalIndexMapErrors, TwoRanksAtOneCoordinate) {
  const Layout layout{{even_axis(8, 2), even_axis(9, 3)}, {}};
  for (int culprit = 0; culprit < 6; ++culprit) {
    for (int place = 0; place < 6; ++place) {
      if (place == culprit) continue;
      run_simulated(6, [&](const Comm& comm) {
        const int seat = comm.rank() == culprit ? place : comm.rank();
        expect_malformed(comm, "D19", layout.dimensions(seat), std::min(culprit, place));
      });
    }
  }
  // All at one place: what is wrong with every rank is said of none.
  run_simulated(6,
                [&](const Comm& comm) { expect_malformed(comm, "D19", layout.dimensions(4), -1); });
}

TEST(GlobalIndexMapErrors, GapsAndOverlapsBetweenBlocks) {
  for (const int ranks : {2, 3, 5, 8}) {
    for (int culprit = 0; culprit < ranks; ++culprit) {
      for (const Index shift : {-1, 1}) {
        for (const bool stop : {false, true}) {
          // The ends of the dimension are a process's own affair.
          if (stop ? culprit == ranks - 1 : culprit == 0) continue;
          run_simulated(ranks, [&](const Comm& comm) {
            const GridPosition grid{ranks, comm.rank()};
            IndexRange owned{grid.rank * 3, grid.rank * 3 + 3};
            if (comm.rank() == culprit) (stop ? owned.stop : owned.start) += shift;
            // The upper one of two processes that do not meet is named.
            expect_malformed(comm, "B09", {block(ranks * 3, grid, owned)},
                             stop ? culprit + 1 : culprit);
          });
        }
      }
    }
  }
}

TEST(GlobalIndexMapErrors, GridLinesWithDifferentBounds) {
  for (const bool along_first : {true, false}) {
    run_simulated(6, [&](const Comm& comm) {
      // Each line by itself is in order; the second is cut elsewhere.
      const Index i = comm.rank() / 2;
      const Index j = comm.rank() % 2;
      const Index cuts[2][4] = {{0, 2, 5, 9}, {0, 2, 6, 9}};
      const Index halves[3][3] = {{0, 4, 9}, {0, 4, 9}, {0, 3, 9}};
      const Dimension first =
          along_first ? block(9, {3, i}, IndexRange{cuts[j][i], cuts[j][i + 1]}) : block(9, {3, i});
      const Dimension second = along_first
                                   ? block(9, {2, j})
                                   : block(9, {2, j}, IndexRange{halves[i][j], halves[i][j + 1]});
      expect_malformed(comm, "D22", {first, second}, along_first ? 3 : 4);
    });
  }
}

TEST(GlobalIndexMapErrors, CyclicStartsThatAreNoRotation) {
  for (const int ranks : {2, 3, 5}) {
    for (int culprit = 0; culprit < ranks; ++culprit) {
      for (int position = 0; position < ranks; ++position) {
        if (position == culprit) continue;
        run_simulated(ranks, [&](const Comm& comm) {
          const Index rank = comm.rank();
          const Index start = 2 * (rank == culprit ? position : rank);
          expect_malformed(comm, "C11", {Dimension(23, Cyclic{{ranks, rank}, start, 2})}, culprit);
        });
      }
      // Owns nothing although its turn comes.
      run_simulated(ranks, [&](const Comm& comm) {
        const Index rank = comm.rank();
        const Index start = rank == culprit ? 23 : 2 * rank;
        expect_malformed(comm, "C11", {Dimension(23, Cyclic{{ranks, rank}, start, 2})}, culprit);
      });
    }
  }
  // Nobody owns anything of a dimension that has elements.
  run_simulated(3, [](const Comm& comm) {
    expect_malformed(comm, "C11", {Dimension(4, Cyclic{{3, comm.rank()}, 4, 2})}, -1);
  });
}

TEST(GlobalIndexMapErrors, RanksThatDescribeDifferentArrays) {
  for (int culprit = 1; culprit < 4; ++culprit) {
    run_simulated(4, [&](const Comm& comm) {
      const Dimension mine = block(8, {4, comm.rank()});
      std::vector<Dimension> dimensions{mine};
      if (comm.rank() == culprit) dimensions.push_back(undistributed(2));
      expect_malformed(comm, "T14", dimensions, culprit);
      expect_malformed(comm, "D05",
                       {comm.rank() == culprit ? cyclic(8, {4, comm.rank()}, 2) : mine}, culprit);
      expect_malformed(comm, "D10", {block(comm.rank() == culprit ? 9 : 8, {4, comm.rank()})},
                       culprit);
      // Also another grid than the communicator's (D14), which comes first.
      expect_malformed(comm, "D14", {block(8, {comm.rank() == culprit ? 5 : 4, comm.rank()})},
                       culprit);
    });
  }
  run_simulated(3, [](const Comm& comm) {
    expect_malformed(comm, "D14", {block(8, {4, comm.rank()})}, -1);
  });
}

// Faults: every point of ours, on each rank in turn.

thread_local int this_rank = -1;
std::mutex seen_mutex;
std::set<std::string> seen_points;
std::string planted_point;
int planted_rank = -1;

void record_point(const char* point) {
  const std::lock_guard<std::mutex> lock(seen_mutex);
  seen_points.insert(point);
}
void plant(const char* point) {
  if (this_rank == planted_rank && planted_point == point)
    throw std::runtime_error("planted at " + planted_point);
}

struct HookGuard {
  explicit HookGuard(detail::FaultHook hook) : previous(detail::set_fault_hook(hook)) {}
  ~HookGuard() { detail::set_fault_hook(previous); }
  detail::FaultHook previous;
};

void inject_everywhere(int ranks, const std::set<std::string>& expected_points,
                       const std::function<void(const Comm&)>& call) {
  seen_points.clear();
  {
    const HookGuard guard(&record_point);
    run_simulated(ranks, call);
  }
  const std::set<std::string> points = seen_points;
  EXPECT_TRUE(
      std::includes(points.begin(), points.end(), expected_points.begin(), expected_points.end()));
  const HookGuard guard(&plant);
  for (const std::string& point : points) {
    planted_point = point;
    for (planted_rank = 0; planted_rank < ranks; ++planted_rank) {
      SCOPED_TRACE(point + " on rank " + std::to_string(planted_rank));
      run_simulated(ranks, [&](const Comm& comm) {
        this_rank = comm.rank();
        EXPECT_EQ(expect_rule(comm, "library.c++", [&] { call(comm); }), planted_rank);
      });
    }
  }
}

TEST(GlobalIndexMapErrors, AFaultOnOneRankIsEverybodysError) {
  const Layout irregular{{block_axis({3, 0, 1}), cyclic_axis(9, 2, 2, 1)}, {}};
  inject_everywhere(
      6,
      {"core.global_index_map.prepare", "core.uniform.survey", "core.validate.neighbours",
       "core.validate.bounds"},
      [&](const Comm& comm) { GlobalIndexMap map(irregular.array(comm.rank()), comm); });
  const Layout permuted{{block_axis({3, 0, 1}), cyclic_axis(9, 2, 2, 1)}, {5, 1, 3, 2, 4, 0}};
  inject_everywhere(
      6,
      {"core.global_index_map.prepare", "core.uniform.survey", "core.validate.seats",
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
  // A map that has seen a fault still answers.
  planted_rank = 2;
  planted_point = "core.index_directory.build";
  run_simulated(5, [&](const Comm& comm) {
    this_rank = comm.rank();
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
