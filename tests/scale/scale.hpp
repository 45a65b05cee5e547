// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "counting_communicator.hpp"
#include "fibers.hpp"
#include "posted_messages.hpp"

/// \file
/// What an operation costs one rank, counted on any number of ranks of one process, or on the
/// processes of MPI.

namespace daptor::test {

/// What one step of a case has cost one rank.
struct Counted {
  Traffic traffic;
  std::int64_t depth = 0;      ///< see FiberMeter
  std::int64_t allocated = 0;  ///< most bytes of heap memory at a time, beyond what it had before
  std::int64_t kept = 0;       ///< bytes that it still has afterwards
  double seconds = 0;          ///< time outside of communication
};

/// One step of a case on all ranks.
struct Step {
  std::string name;
  std::vector<Counted> ranks;

  /// The greatest value of any rank.
  template <class Value>
  double most(const Value& value) const {
    double greatest = 0;
    for (const Counted& each : ranks)
      greatest = std::max(greatest, static_cast<double>(value(each)));
    return greatest;
  }
};

/// What a case gets on each rank.
class Measuring {
 public:
  Measuring(const Comm& comm, std::vector<Step>& steps) : counting_(comm), steps_(steps) {}

  int rank() const { return counting_.rank(); }
  int ranks() const { return counting_.size(); }
  /// The communicator to call; counts.
  Comm comm() const { return counting_; }

  /// Collective. Counts what `call` does, and what is still allocated when it returns.
  template <class Call>
  void step(const char* name, Call&& call) {
    const std::int64_t before = begin();
    call();
    end(name, before);
  }

 private:
  std::int64_t begin();
  void end(const char* name, std::int64_t before);

  CountingCommunicator counting_;
  PostedMessages posted_;
  std::vector<Step>& steps_;
  std::size_t next_ = 0;
};

struct Case {
  std::string name;
  std::function<void(Measuring&)> body;
  /// The case is not run on more ranks, because it would take too much memory.
  int most_ranks = 1 << 20;
  /// Lengths of messages differ from run to run, because a hash with a new seed chooses receivers.
  bool chance = false;
};

/// Runs the case on ranks of this process. Throws what the first of them threw other than
/// LibraryFailed, which a rank gets that waits for one that has thrown.
std::vector<Step> simulate(const Case& each, int ranks);

/// Collective over the processes of MPI. Runs the case on them and returns, on rank 0, the steps of
/// all of them, without memory, depth and time.
std::vector<Step> run_on_mpi(const Case& each);

/// All cases. `elements` is the size of a section, where a case can choose it.
std::vector<Case> all_cases(std::int64_t elements);

/// Addresses for the elements of arrays of which only the descriptions matter: every rank gets the
/// same ones, and a page takes memory only once it is written. The two are far apart.
void* source_memory();
void* target_memory();

}  // namespace daptor::test
