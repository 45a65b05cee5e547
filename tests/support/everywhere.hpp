// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What is the same on all ranks: refusals, and what a fault on one of them becomes.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <mpi.h>

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

/// Throws on this rank with that rule; returns the text.
inline std::string expect_refused(const std::string& rule, const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.rule(), rule) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing thrown, expected " << rule;
  return "";
}

/// The same on all ranks.
inline void expect_refused_everywhere(const std::string& rule, const std::function<void()>& call) {
  const std::string text = expect_refused(rule, call);
  const auto hash = static_cast<std::int64_t>(std::hash<std::string>{}(text) >> 1);
  EXPECT_EQ(least(hash), greatest(hash)) << text;
}

/// Faults at every point of a collective call whose name begins in one of some ways.
class Faults {
 public:
  explicit Faults(std::vector<std::string> prefixes) {
    script() = {};
    script().prefixes = std::move(prefixes);
    detail::set_fault_hook(record_or_throw);
  }
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;
  ~Faults() { detail::set_fault_hook(nullptr); }

  /// A fault on any rank at any point that it passes is everybody's; returns all points.
  static std::set<std::string> expect_agreed(const std::function<void()>& call) {
    script().seen.clear();
    script().victim = -1;
    call();
    std::set<std::string> points;
    for (int victim = 0; victim < world_size(); ++victim)
      for (const std::string& point : seen_by(victim)) {
        points.insert(point);
        script().target = point;
        script().victim = victim;
        expect_refused_everywhere("library.c++", call);
      }
    script().victim = -1;
    return points;
  }

 private:
  struct Script {
    std::vector<std::string> prefixes;
    std::set<std::string> seen;
    std::string target;
    int victim = -1;
  };
  static Script& script() {
    static Script only;
    return only;
  }
  /// Collective: what the calls before the first planted fault passed on that rank.
  static std::vector<std::string> seen_by(int rank) {
    std::string names;
    for (const std::string& name : script().seen) names += name + ' ';
    int size = static_cast<int>(names.size());
    MPI_Bcast(&size, 1, MPI_INT, rank, MPI_COMM_WORLD);
    names.resize(static_cast<std::size_t>(size));
    MPI_Bcast(names.data(), size, MPI_CHAR, rank, MPI_COMM_WORLD);
    std::istringstream words(names);
    return {std::istream_iterator<std::string>(words), {}};
  }
  static void record_or_throw(const char* point) {
    const std::string name = point;
    bool watched = false;
    for (const std::string& prefix : script().prefixes)
      watched = watched || name.rfind(prefix, 0) == 0;
    if (!watched) return;
    if (script().victim < 0) script().seen.insert(name);
    if (name == script().target && world_rank() == script().victim)
      throw std::runtime_error("planted at " + name);
  }
};

}  // namespace daptor::test
