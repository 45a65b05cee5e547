// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "daptor/adapter/communicator.hpp"
#include "daptor/comm.hpp"
#include "ranks/coroutines.hpp"

/// \file
/// Ranks that take turns on one thread: a hundred thousand of them in one process, or very many
/// small worlds one after the other. Where a rank waits for a message or for the others, the next
/// one runs.

namespace daptor::detail {

/// The part of one rank in an operation of all ranks.
struct SimulatedCall {
  enum class Operation { allreduce, exclusive_sum, broadcast, exchange, meet };

  Operation operation = Operation::allreduce;
  std::int64_t count = 0;
  int variant = 0;  ///< the reduction, or the root
  void* data = nullptr;
  const std::vector<Message>* sent = nullptr;
  std::vector<Message>* received = nullptr;

  bool matches(const SimulatedCall& other) const {
    return operation == other.operation && count == other.count && variant == other.variant;
  }
  std::string text() const;
};

/// Is told what simulated ranks do, for example to measure it. Each call is made on the stack of
/// the rank that it is about, except for `delivers` and `performs`, which another rank's may be.
class SimulationWatch {
 public:
  virtual ~SimulationWatch() = default;
  virtual void begins(int rank) = 0;
  virtual void ends(int rank) = 0;
  /// From here to `leaves` the rank is in an operation of its communicator, where others run.
  virtual void enters(int rank) = 0;
  virtual void leaves(int rank) = 0;
  virtual void sends(int rank, int to) = 0;
  /// The message that `from` sent first of those that the rank has not received.
  virtual void receives(int rank, int from) = 0;
  /// Messages of an exchange are about to be copied for this rank; -1: no more.
  virtual void delivers(int rank) = 0;
  /// All ranks have made this call, and it has succeeded. `calls` has that of each rank.
  virtual void performs(const std::vector<const SimulatedCall*>& calls) = 0;
};

/// What a rank threw, and whether only because others had left or waited for something else.
struct SimulatedEnd {
  std::exception_ptr error;
  bool cause = false;
};

/// The state that all ranks share. A waiting rank is blocked until no part of its operation is
/// pending, and the rank that completes the last part lets it go on. If every rank that still runs
/// is blocked, none of the operations can happen any more, and all of them fail.
class SimulatedWorld {
 public:
  /// @param body   is run once for each rank
  /// @param mpi    what communicators pass off as their MPI communicator; MPI_COMM_NULL: none
  /// @param watch  may be null
  SimulatedWorld(int size, const std::function<void(const Comm&)>& body,
                 MPI_Comm mpi = MPI_COMM_NULL, SimulationWatch* watch = nullptr);
  SimulatedWorld(const SimulatedWorld&) = delete;
  SimulatedWorld& operator=(const SimulatedWorld&) = delete;

  /// Runs all ranks until each has ended. Call it once.
  static std::vector<SimulatedEnd> run(const std::shared_ptr<SimulatedWorld>& world);
  /// The world whose ranks run on this thread; null if there is none.
  static SimulatedWorld* active() noexcept;

  int size() const { return static_cast<int>(ranks_.size()); }
  /// The rank that runs.
  int current() const { return coroutines_->current(); }
  MPI_Comm mpi() const { return mpi_; }

  void collective(int rank, const SimulatedCall& call);
  /// A rendezvous: the sender also waits until its message has been received, as it may do in MPI.
  void sendrecv(int rank, int to, const void* send, std::size_t sent, int from, void* receive,
                std::size_t received);
  /// Lets other ranks run until one of them wakes this one. What it waits for may not be there yet.
  void sleep(int rank);
  void wake(int rank);

 private:
  struct Post {
    const void* data;
    std::size_t count;
  };
  /// What a thread keeps about the rank that runs on it.
  struct OnThread {
    SimulatedWorld* active = nullptr;
    int local_work = 0;

    OnThread exchanged() const noexcept;
  };
  struct Rank {
    OnThread on_thread;  // while it does not run
    int pending = 0;     // number of parts of the operation that have not happened yet
    bool blocked = false;
    bool abandoned = false;
    bool asleep = false;
    std::string failure;
    const char* end = nullptr;  // how it ended
    SimulatedEnd result;
    const SimulatedCall* call = nullptr;
    int from = -1;  // rank whose message it waits for
    void* receive = nullptr;
    std::size_t receive_count = 0;
    std::map<int, std::deque<Post>> inbox;  // by source rank
  };
  class InOperation;

  Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  static void require_taking_part(const Rank& rank, const char* operation);
  void run_rank(int rank);
  void let_all_run();
  void resume(int rank);
  void complete(int rank);
  void wait(int rank, const char* operation);
  void deliver(int rank);
  void abandon();
  std::string cause() const;
  std::string perform();
  std::string different() const;
  std::int64_t* values(int rank) { return static_cast<std::int64_t*>(at(rank).call->data); }
  void allreduce();
  void exclusive_sum();
  std::string broadcast();
  std::string exchange();

  const std::function<void(const Comm&)>& body_;
  MPI_Comm mpi_;
  SimulationWatch* watch_;
  std::vector<Rank> ranks_;
  std::unique_ptr<Coroutines> coroutines_;
  std::deque<int> ready_;  // ranks that can go on
  std::weak_ptr<SimulatedWorld> self_;
  int arrived_ = 0;
};

}  // namespace daptor::detail
