// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The collective calls of a stretch of code. They must be the same on all ranks, even if the
// stretch fails.

#include <gtest/gtest.h>
#include <mpi.h>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daptor/conformance/mpi_watch.hpp"
#include "daptor/error.hpp"
#include "everywhere.hpp"

namespace daptor::test {

/// What one rank saw of a stretch.
struct Stretch {
  std::vector<conformance::MpiCall> calls;
  std::string error;        ///< Daptor's, if one was thrown
  std::optional<int> rank;  ///< the rank that the error names

  /// The collective calls in their order, including those that make communicators. Leaves out calls
  /// on MPI_COMM_SELF and on communicators made from it, in which no rank waits for another.
  std::vector<std::string> collectives() const {
    std::vector<std::string> names;
    for (const conformance::MpiCall& call : calls)
      if ((call.kind == conformance::MpiKind::collective ||
           call.kind == conformance::MpiKind::communicator) &&
          call.communicator.rfind("self", 0) != 0)
        names.push_back(call.function + " on " + call.communicator);
    return names;
  }
  int count(const std::set<std::string>& functions) const {
    int found = 0;
    for (const conformance::MpiCall& call : calls)
      found += static_cast<int>(functions.count(call.function));
    return found;
  }
  int messages() const {
    return count({"MPI_Send", "MPI_Isend", "MPI_Ssend", "MPI_Issend", "MPI_Rsend", "MPI_Irsend",
                  "MPI_Bsend", "MPI_Ibsend", "MPI_Sendrecv", "MPI_Start"});
  }
};

template <class F>
Stretch watch(F&& body) {
  Stretch stretch;
  conformance::MpiWatch recording;
  try {
    std::forward<F>(body)();
  } catch (const Error& error) {
    stretch.error = error.what();
    stretch.rank = error.rank();
  }
  recording.stop();
  stretch.calls = recording.calls();
  return stretch;
}

inline void expect_same_sequence(const Stretch& stretch, const std::string& what) {
  std::string mine;
  for (const std::string& call : stretch.collectives()) mine += call + "\n";
  EXPECT_FALSE(stretch.calls.empty()) << what;
  SCOPED_TRACE(what);
  expect_same_everywhere(mine);
  expect_same_everywhere(stretch.error);
}

/// Runs `body` with a fault at each of its points on each rank in turn. Expects the same calls on
/// all ranks and, where a rank failed, the same error. `look` is told what happened, the rank and
/// the point.
inline void expect_same_sequence_with_faults(
    const std::function<void()>& body, const std::string& what,
    const std::function<void(const Stretch&, int, const std::string&)>& look = nullptr) {
  SCOPED_TRACE(what);
  expect_same_sequence(watch(body), what);
  for (const Point& point : points_of([&] { watch(body); })) {
    for (const int at_fault : point.ranks) {
      const std::string where = what + ", " + point.name + " on rank " + std::to_string(at_fault);
      Stretch stretch;
      {
        const Fault fault(point.name, at_fault);
        stretch = watch(body);
      }
      expect_same_sequence(stretch, where);
      if (look) look(stretch, at_fault, where);
    }
  }
}

/// Expects the same, and where a rank failed, that the error names it and that the next call works
/// as if nothing had happened.
inline void expect_sound_after_faults(const std::function<void()>& body, const std::string& what) {
  const std::string sound = watch(body).error;
  expect_same_sequence_with_faults(
      body, what, [&](const Stretch& stretch, int at_fault, const std::string& where) {
        if (greatest(Fault::fired() ? 1 : 0) == 1) {
          // What is wrong with an array is thrown before what else a check has found.
          if (!sound.empty() && stretch.error == sound) return;
          EXPECT_EQ(stretch.rank, at_fault) << where << ": " << stretch.error;
          EXPECT_NE(stretch.error.find("injected at"), std::string::npos) << where;
        } else {
          EXPECT_EQ(stretch.error, sound) << where;
        }
        EXPECT_EQ(watch(body).error, sound) << where;
      });
}

}  // namespace daptor::test
