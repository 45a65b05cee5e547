// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A rank that fails at any point of a collective call, on simulated ranks.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "daptor/adapter/communicator.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/simulated.hpp"
#include "everywhere.hpp"
#include "global_map_checks.hpp"

namespace daptor::test {

/// What one rank does: a collective call, and what is expected after one that has failed.
struct FaultyCall {
  std::function<void()> call;
  std::function<void()> after = [] {};
};

class SimulatedFaults {
 public:
  /// Faults at every point of the call, on each rank in turn: all ranks throw the same error, which
  /// names the rank.
  /// @param prepare  makes the call on each rank
  static void expect_agreed(int ranks, const std::function<FaultyCall(const Comm&)>& prepare) {
    ranks_at_.clear();
    passes_.clear();
    run_simulated(ranks, [&](const Comm& comm) {
      const FaultyCall mine = prepare(comm);
      during(comm, note, mine.call);
    });
    EXPECT_FALSE(ranks_at_.empty()) << "no point is passed";
    for (const auto& [point, victims] : ranks_at_)
      for (const int victim : victims) {
        SCOPED_TRACE(point + " on rank " + std::to_string(victim));
        point_ = point;
        victim_ = victim;
        passes_.clear();
        run_simulated(ranks, [&](const Comm& comm) {
          const FaultyCall mine = prepare(comm);
          during(comm, fail,
                 [&] { EXPECT_EQ(expect_rule(comm, "library.c++", mine.call), victim_); });
          mine.after();
        });
      }
  }

 private:
  static void note(const char* point) {
    const int rank = detail::simulated_rank();
    ranks_at_[passes_[rank].next(point)].insert(rank);
  }
  static void fail(const char* point) {
    if (detail::simulated_rank() == victim_ && passes_[victim_].next(point) == point_)
      throw std::runtime_error("planted at " + point_);
  }

  /// Collective. The ranks share the hook.
  static void during(const Comm& comm, detail::FaultHook hook, const std::function<void()>& call) {
    std::int64_t ready = 0;
    comm->allreduce(&ready, 1, Reduction::sum);
    if (comm.rank() == 0) detail::set_fault_hook(hook);
    comm->allreduce(&ready, 1, Reduction::sum);
    call();
    comm->allreduce(&ready, 1, Reduction::sum);
    if (comm.rank() == 0) detail::set_fault_hook(nullptr);
    comm->allreduce(&ready, 1, Reduction::sum);
  }

  inline static std::map<std::string, std::set<int>> ranks_at_;
  inline static std::map<int, Passes> passes_;
  inline static std::string point_;
  inline static int victim_ = -1;
};

}  // namespace daptor::test
