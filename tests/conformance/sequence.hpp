// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The collective calls of a stretch, which must be the same on all ranks, whatever becomes of it.

#include <gtest/gtest.h>
#include <mpi.h>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daptor/conformance/mpi_watch.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"

namespace daptor::test {

/// What one rank saw of a stretch.
struct Stretch {
  std::vector<conformance::MpiCall> calls;
  std::string error;        ///< of Daptor, where it was thrown
  std::optional<int> rank;  ///< that the error names

  /// Collective calls in their order, those that make communicators included; not those on
  /// MPI_COMM_SELF and what comes of it, where nobody waits for anybody.
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

/// Rank 0's text on every rank.
inline std::string text_of_first(std::string text) {
  auto size = static_cast<unsigned long>(text.size());
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  text.resize(size);
  MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

inline void expect_same_sequence(const Stretch& stretch, const std::string& what) {
  std::string mine;
  for (const std::string& call : stretch.collectives()) mine += call + "\n";
  EXPECT_FALSE(stretch.calls.empty()) << what;
  EXPECT_EQ(mine, text_of_first(mine)) << what;
  EXPECT_EQ(stretch.error, text_of_first(stretch.error)) << what;
}

/// Makes one rank fail at one place.
class PlannedFault {
 public:
  PlannedFault(std::string point, bool here) {
    point_ = here ? std::move(point) : std::string();
    fired_ = false;
    previous_ = detail::set_fault_hook(hook);
  }
  ~PlannedFault() { detail::set_fault_hook(previous_); }
  PlannedFault(const PlannedFault&) = delete;
  PlannedFault& operator=(const PlannedFault&) = delete;

  /// Collective. Whether the rank has come by the place.
  static bool fired() {
    int fired = fired_ ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &fired, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return fired == 1;
  }

 private:
  static void hook(const char* point) {
    if (point != point_) return;
    fired_ = true;
    throw InvalidArgument("test", "a planned fault at " + point_, "none");
  }
  inline static std::string point_;
  inline static bool fired_ = false;
  detail::FaultHook previous_;
};

/// The places that `body` passes on this rank.
inline std::set<std::string> places_of(const std::function<void()>& body) {
  static std::set<std::string> places;
  places.clear();
  detail::FaultHook previous =
      detail::set_fault_hook([](const char* point) { places.insert(point); });
  watch(body);
  detail::set_fault_hook(previous);
  return places;
}

/// Places in Daptor's own code that some rank passes, the same list on all.
inline std::vector<std::string> places_on_all_ranks(const std::function<void()>& body) {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::set<std::string> mine = places_of(body);
  std::set<std::string> all;
  for (int rank = 0; rank < size; ++rank) {
    std::string text;
    for (const std::string& place : mine) text += place + "\n";
    auto length = static_cast<unsigned long>(text.size());
    MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG, rank, MPI_COMM_WORLD);
    text.resize(length);
    MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, rank, MPI_COMM_WORLD);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      all.insert(text.substr(at, end - at));
      at = end + 1;
    }
  }
  // A failure inside a foreign collective, or while messages are on their way, ends the job, as it
  // says.
  std::vector<std::string> agreed;
  for (const std::string& place : all)
    if (place.find('.') != std::string::npos && place != "core.exchange.receive")
      agreed.push_back(place);
  return agreed;
}

/// `body` with a fault at each of its places on each rank in turn: the same calls on all ranks, and
/// where a rank failed, the same error. `look` is told what became of it, the rank, and where.
inline void expect_same_sequence_with_faults(
    const std::function<void()>& body, const std::string& what,
    const std::function<void(const Stretch&, int, const std::string&)>& look = nullptr) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  expect_same_sequence(watch(body), what);
  for (const std::string& place : places_on_all_ranks(body)) {
    for (int at_fault = 0; at_fault < size; ++at_fault) {
      const std::string where = what + ", " + place + " on rank " + std::to_string(at_fault);
      Stretch stretch;
      {
        const PlannedFault fault(place, rank == at_fault);
        stretch = watch(body);
      }
      expect_same_sequence(stretch, where);
      if (look) look(stretch, at_fault, where);
    }
  }
}

/// The same, and where a rank failed, the error names it, and the next call is as if nothing had
/// been.
inline void expect_sound_after_faults(const std::function<void()>& body, const std::string& what) {
  const std::string sound = watch(body).error;
  expect_same_sequence_with_faults(
      body, what, [&](const Stretch& stretch, int at_fault, const std::string& where) {
        if (PlannedFault::fired()) {
          EXPECT_EQ(stretch.rank, at_fault) << where << ": " << stretch.error;
          EXPECT_NE(stretch.error.find("planned fault"), std::string::npos) << where;
        } else {
          EXPECT_EQ(stretch.error, sound) << where;
        }
        EXPECT_EQ(watch(body).error, sound) << where;
      });
}

}  // namespace daptor::test
