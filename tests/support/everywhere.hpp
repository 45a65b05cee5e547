// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks that something is the same on all ranks: refusals, and the error that follows a fault on
// one of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
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

#include "effort.hpp"
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

/// Collective. Expects the error on all ranks that some pass another value of the argument `key`
/// than rank 0. The error names the first of them, and both values.
/// @param values  the values as the error shows them; if empty, any
inline void expect_different(const std::string& key, const std::function<void()>& call,
                             const std::string& values = "") {
  expect_refused_everywhere<InvalidArgument>("collective.different", [&] {
    try {
      call();
    } catch (const InvalidArgument& error) {
      const Finding& finding = error.finding();
      EXPECT_EQ(finding.key, key) << error.what();
      EXPECT_GT(finding.rank(), 0) << error.what();
      EXPECT_NE(finding.found.str().find(", and "), std::string::npos) << error.what();
      EXPECT_NE(finding.found.str().find(" on rank 0"), std::string::npos) << error.what();
      EXPECT_NE(finding.found.str().find(values), std::string::npos) << error.what();
      throw;
    }
  });
}

/// Collective. The names that rank `rank` has listed.
inline std::vector<std::string> names_on(int rank, const std::vector<std::string>& mine) {
  std::string names;
  for (const std::string& name : mine) names += name + '\n';
  int size = static_cast<int>(names.size());
  MPI_Bcast(&size, 1, MPI_INT, rank, MPI_COMM_WORLD);
  names.resize(static_cast<std::size_t>(size));
  MPI_Bcast(names.data(), size, MPI_CHAR, rank, MPI_COMM_WORLD);
  std::vector<std::string> listed;
  std::istringstream lines(names);
  for (std::string name; std::getline(lines, name);) listed.push_back(name);
  return listed;
}

/// Collective. Proofs that are kept for MPI_COMM_WORLD no longer count, so that a call that has
/// been made before passes all of its points again, and no others: the duplicate is made here.
inline void forget_proofs() {
  const Comm comm(MPI_COMM_WORLD);
  comm->exclusive_sum(0);
  comm->open_call().communicator_number = detail::new_communicator_number();
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

/// Whether a fault at a point is an error of all ranks: at each check of a call
/// (`petsc::import_vec#1`), and where an array is proven (`core.survey`). Elsewhere, in calls of
/// another library and while messages are on their way, it may end the job.
inline bool is_agreed(const std::string& point) {
  const auto begins = [&](const char* prefix) { return point.rfind(prefix, 0) == 0; };
  return point.find('#') != std::string::npos ||
         (begins("core.") && !begins("core.exchange.") && !begins("core.communicator."));
}

/// Tells the passes of a point apart: `align_rows#1`, and `align_rows#1 (2)` for the second, as in
/// a call that makes another one with its name.
class Passes {
 public:
  std::string next(const char* point) {
    const int pass = ++passes_[point];
    return pass == 1 ? point : std::string(point) + " (" + std::to_string(pass) + ')';
  }

 private:
  std::map<std::string, int> passes_;
};

/// Collective. All points that this rank passes in `call`, in their order.
inline std::vector<std::string> passed_here(const std::function<void()>& call) {
  static std::vector<std::string> points;
  static Passes passes;
  points.clear();
  passes = {};
  forget_proofs();
  const FaultHookGuard hooked([](const char* point) { points.push_back(passes.next(point)); });
  call();
  return points;
}

/// Collective. The first point that this rank passes in `call`, of any kind.
inline std::string first_point_of(const std::function<void()>& call) {
  const std::vector<std::string> points = passed_here(call);
  EXPECT_FALSE(points.empty()) << "no point is passed";
  return points.empty() ? "" : points.front();
}

/// One pass of a point, and the ranks that make it.
struct Point {
  std::string name;
  std::vector<int> ranks;

  bool on_all_ranks() const { return static_cast<int>(ranks.size()) == world_size(); }
};

/// Collective. The points of `call` at which a fault is an error of all ranks, in the order in
/// which rank 0 passes them, and behind them those of other ranks alone; the same on all ranks. It
/// is a failure if there are none: faults nowhere would prove nothing.
inline std::vector<Point> points_of(const std::function<void()>& call) {
  const std::vector<std::string> mine = passed_here(call);
  std::vector<Point> points;
  for (int rank = 0; rank < world_size(); ++rank)
    for (const std::string& name : names_on(rank, mine)) {
      if (!is_agreed(name)) continue;
      auto point = std::find_if(points.begin(), points.end(),
                                [&](const Point& each) { return each.name == name; });
      if (point == points.end()) point = points.insert(point, {name, {}});
      point->ranks.push_back(rank);
    }
  EXPECT_FALSE(points.empty()) << "no point is passed";
  return points;
}

/// Collective. During its lifetime one rank throws when it passes a point, from then on always.
class Fault {
 public:
  /// @param point  as in `passed_here`
  /// @param rank   -1: no rank throws
  Fault(std::string point, int rank) {
    forget_proofs();
    point_ = std::move(point);
    passes_ = {};
    armed_ = world_rank() == rank;
    fired_at_.clear();
  }
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;

  /// Whether this rank has thrown.
  static bool fired() { return !fired_at_.empty(); }

 private:
  static void hook(const char* passed) {
    if (!armed_) return;
    if (fired() ? fired_at_ != passed : passes_.next(passed) != point_) return;
    fired_at_ = passed;
    throw std::runtime_error("injected at " + point_);
  }
  inline static std::string point_;
  inline static Passes passes_;
  inline static bool armed_ = false;
  inline static std::string fired_at_;
  FaultHookGuard hooked_{hook};
};

/// Collective. If that rank throws at a point that it passes, all ranks throw an error with the
/// same text.
/// @param named  whether the error names the rank by its number in MPI_COMM_WORLD
inline void expect_fault_agreed(const std::string& point, int rank,
                                const std::function<void()>& call, bool named = true) {
  SCOPED_TRACE(point + " on rank " + std::to_string(rank));
  const Fault fault(point, rank);
  const std::string text = expect_refused_everywhere<LibraryFailed>(
      "library.c++", call, named ? std::optional<int>(rank) : std::nullopt);
  EXPECT_NE(text.find("injected at " + point), std::string::npos) << text;
  EXPECT_EQ(Fault::fired(), world_rank() == rank);
}

/// The ranks on which a fault at the `number`-th point is tried: one of them, and by `--all` each.
/// A call of these tests takes a second.
inline std::vector<int> ranks_to_fail(const Point& point, std::size_t number) {
  if (all_rounds()) return point.ranks;
  return {point.ranks[number % point.ranks.size()]};
}

/// The same where a call takes less: the first of them, which often works for others, and one more.
inline std::vector<int> first_and_another(const Point& point, std::size_t number) {
  if (all_rounds() || point.ranks.size() < 3) return point.ranks;
  return {point.ranks.front(), point.ranks[1 + number % (point.ranks.size() - 1)]};
}

/// Faults at every point of a collective call (`points_of`), on the first rank and another one, and
/// by `--all` on each.
class Faults {
 public:
  /// Collective. A fault of a rank at a point that it passes is thrown on all ranks, and in the end
  /// the call works.
  /// @param call    may be made any number of times
  /// @param after   what is expected after each fault
  /// @param exempt  number of points, those that are passed last, after which it is not
  void expect_agreed(const std::function<void()>& call,
                     const std::function<void()>& after = nullptr, std::size_t exempt = 0) const {
    EXPECT_NO_THROW(call()) << "without a fault; makes what is kept";
    const std::vector<Point> points = points_of(call);
    EXPECT_GT(points.size(), exempt);
    for (std::size_t i = 0; i < points.size(); ++i)
      for (const int rank : first_and_another(points[i], i)) {
        // Ranks of a smaller communicator have other numbers in it.
        expect_fault_agreed(points[i].name, rank, call, points[i].on_all_ranks());
        SCOPED_TRACE("after " + points[i].name + " on rank " + std::to_string(rank));
        if (after && i + exempt < points.size()) after();
      }
    EXPECT_NO_THROW(call()) << "after all faults";
  }
};

}  // namespace daptor::test
