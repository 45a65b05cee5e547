// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks that something is the same on all ranks: refusals, and the error that follows a fault on
// one of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include <daptor/adapter/communicator.hpp>
#include <daptor/comm.hpp>
#include <daptor/detail/fault.hpp>
#include <daptor/error.hpp>

#include "world.hpp"

namespace daptor::test {

inline std::int64_t least(std::int64_t value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
  return value;
}

inline std::int64_t greatest(std::int64_t value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  return value;
}

/// Collective. The text is the same on all ranks.
inline void expect_same_everywhere(const std::string& text) {
  const auto hash = static_cast<std::int64_t>(std::hash<std::string>{}(text) >> 1);
  EXPECT_EQ(least(hash), greatest(hash)) << "another text than on other ranks: " << text;
}

/// Expects an error of that class with that rule on this rank; returns the error's text.
/// @param culprit  the rank that the error names; if it is absent, any
template <class Expected = Error>
std::string expect_refused(const std::string& rule, const std::function<void()>& call,
                           std::optional<int> culprit = std::nullopt) {
  try {
    call();
    ADD_FAILURE() << "nothing thrown, expected " << rule;
  } catch (const Expected& error) {
    EXPECT_EQ(error.rule(), rule) << error.what();
    if (culprit) {
      EXPECT_EQ(error.rank(), *culprit) << error.what();
    }
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another class than expected for " << rule << ": " << error.what();
  }
  return "";
}

/// Collective. Expects the error on all ranks, with the same text, and returns the text.
/// @param culprit  see `expect_refused`
template <class Expected = Error>
std::string expect_refused_everywhere(const std::string& rule, const std::function<void()>& call,
                                      std::optional<int> culprit = std::nullopt) {
  std::string text = expect_refused<Expected>(rule, call, culprit);
  expect_same_everywhere(text);
  return text;
}

/// Collective. The names that rank `rank` passed.
inline std::vector<std::string> names_on(int rank, const std::set<std::string>& mine) {
  std::string names;
  for (const std::string& name : mine) names += name + ' ';
  int size = static_cast<int>(names.size());
  MPI_Bcast(&size, 1, MPI_INT, rank, MPI_COMM_WORLD);
  names.resize(static_cast<std::size_t>(size));
  MPI_Bcast(names.data(), size, MPI_CHAR, rank, MPI_COMM_WORLD);
  std::istringstream words(names);
  return {std::istream_iterator<std::string>(words), {}};
}

/// Collective. Proofs that are kept for MPI_COMM_WORLD no longer count, so that a call that has
/// been made before passes all of its points again.
inline void forget_proofs() {
  Comm(MPI_COMM_WORLD)->open_call().communicator_number = detail::new_communicator_number();
}

/// A hook during the lifetime of this object.
class FaultHookGuard {
 public:
  explicit FaultHookGuard(detail::FaultHook hook) : previous_(detail::set_fault_hook(hook)) {}
  FaultHookGuard(const FaultHookGuard&) = delete;
  FaultHookGuard& operator=(const FaultHookGuard&) = delete;
  ~FaultHookGuard() { detail::set_fault_hook(previous_); }

 private:
  detail::FaultHook previous_;
};

/// Collective. The points that this rank passes in `call`.
inline std::set<std::string> points_of(const std::function<void()>& call) {
  static std::set<std::string> points;
  points.clear();
  forget_proofs();
  const FaultHookGuard hooked([](const char* point) { points.insert(point); });
  call();
  return points;
}

/// When a rank fails at a point.
enum class FailAt { every_pass, first_pass };

/// Collective. During its lifetime one rank throws when it passes a point.
class Fault {
 public:
  /// @param rank  -1: no rank throws
  Fault(std::string point, int rank, FailAt when = FailAt::every_pass) {
    forget_proofs();
    point_ = std::move(point);
    armed_ = world_rank() == rank;
    once_ = when == FailAt::first_pass;
    fired_ = false;
  }
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;

  /// Whether this rank has thrown.
  static bool fired() { return fired_; }

 private:
  static void hook(const char* passed) {
    if (!armed_ || point_ != passed) return;
    armed_ = !once_;
    fired_ = true;
    throw std::runtime_error("injected at " + point_);
  }
  inline static std::string point_;
  inline static bool armed_ = false;
  inline static bool once_ = false;
  inline static bool fired_ = false;
  FaultHookGuard hooked_{hook};
};

/// Collective. If that rank throws at a point that it passes, all ranks throw an error with the
/// same text, which names the rank.
inline void expect_fault_agreed(const std::string& point, int rank,
                                const std::function<void()>& call,
                                FailAt when = FailAt::every_pass) {
  SCOPED_TRACE(point + " on rank " + std::to_string(rank));
  const Fault fault(point, rank, when);
  const std::string text = expect_refused_everywhere<LibraryFailed>("library.c++", call, rank);
  EXPECT_NE(text.find("injected at " + point), std::string::npos) << text;
  EXPECT_EQ(Fault::fired(), world_rank() == rank);
}

/// Collective. Checks it for each rank in turn.
inline void expect_faults_agreed(const std::string& point, const std::function<void()>& call,
                                 FailAt when = FailAt::every_pass) {
  for (int rank = 0; rank < world_size(); ++rank) expect_fault_agreed(point, rank, call, when);
}

/// Faults at all points of a collective call whose names begin with one of the prefixes. Without
/// prefixes: at all points except those at which a fault ends the job (calls of a library, whose
/// names have no dot, and exchanges) and those that are passed only once for a communicator.
class Faults {
 public:
  explicit Faults(std::vector<std::string> prefixes = {}) : prefixes_(std::move(prefixes)) {}

  /// Collective. A fault on any rank at any point that it passes is thrown on all ranks. Returns
  /// the points that all ranks pass.
  std::set<std::string> expect_agreed(const std::function<void()>& call) const {
    const std::set<std::string> mine = points_of(call);
    std::map<std::string, int> ranks_at;
    for (int victim = 0; victim < world_size(); ++victim)
      for (const std::string& point : names_on(victim, mine)) {
        if (!watched(point)) continue;
        ++ranks_at[point];
        expect_fault_agreed(point, victim, call);
      }
    std::set<std::string> common;
    for (const auto& [point, ranks] : ranks_at)
      if (ranks == world_size()) common.insert(point);
    return common;
  }
  /// Collective. The same; all ranks must pass at least the given points.
  void expect_agreed_at(const std::set<std::string>& points,
                        const std::function<void()>& call) const {
    const std::set<std::string> passed = expect_agreed(call);
    for (const std::string& point : points)
      EXPECT_EQ(passed.count(point), 1U) << point << " is not passed on all ranks";
  }

 private:
  bool watched(const std::string& point) const {
    const auto begins = [&](const std::string& prefix) { return point.rfind(prefix, 0) == 0; };
    if (!prefixes_.empty()) return std::any_of(prefixes_.begin(), prefixes_.end(), begins);
    return point.find('.') != std::string::npos && !begins("core.exchange.") &&
           !begins("core.communicator.");
  }
  std::vector<std::string> prefixes_;
};

}  // namespace daptor::test
