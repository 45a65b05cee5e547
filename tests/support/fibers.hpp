// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

#include <mpi.h>

#include "daptor/comm.hpp"

/// \file
/// The ranks of `run_simulated`, measured: how long chains of messages are, what ranks compute, and
/// the memory that they hold.

namespace daptor::test {

/// Heap memory that a rank holds, in bytes. Counted only in programs with a replaced operator new
/// (tests/scale/charged_memory.cpp).
struct Account {
  std::int64_t held = 0;
  std::int64_t most = 0;
};

/// The account that pays for memory allocated from now on; null if nobody does.
extern Account* charged_account;

/// While it lives, nobody pays for memory.
class Uncharged {
 public:
  Uncharged() = default;
  Uncharged(const Uncharged&) = delete;
  Uncharged& operator=(const Uncharged&) = delete;
  ~Uncharged() { charged_account = charged_; }

 private:
  Account* charged_ = std::exchange(charged_account, nullptr);
};

/// What a rank's messages and computations have cost since `meet`.
struct FiberMeter {
  /// Length of the longest chain of messages, each sent after the one before was received, that
  /// ends at this rank. An operation of all P ranks counts as ceil(log2 P) messages after the last
  /// of them has begun it: recursive doubling or a binomial tree. An exchange takes two more, for
  /// a message and the notice of its receipt, unless there are no messages at all. Messages that an
  /// exchange or a redistribution posts itself do not wait for those that it receives.
  std::int64_t depth = 0;
  /// time outside of communication
  double seconds = 0;
};

/// Runs `body` once for each rank, as `run_simulated` does. Returns what each rank threw, null for
/// ranks that returned.
/// @param mpi    what the communicators pass off as their MPI communicator (`Communicator::mpi`);
///   MPI_COMM_NULL if they have none
std::vector<std::exception_ptr> run_on_fibers(int ranks,
                                              const std::function<void(const Comm&)>& body,
                                              MPI_Comm mpi = MPI_COMM_NULL);

/// Whether the caller is on a rank of `run_on_fibers`.
bool on_fiber() noexcept;

/// Collective over the ranks of `run_on_fibers`, and not counted: waits for all of them, and sets
/// their meters and the maxima of their accounts anew.
void meet();

/// This rank's meter and account.
FiberMeter meter();
Account account();

/// A pointer for the caller's use, one for each rank; null at first. Any rank may read it.
void*& fiber_local();
void*& fiber_local(int rank);
/// This rank's number.
int fiber_rank();

/// The depth that a message has which does not wait for those that `note_receipt` is told of.
std::int64_t depth_to_send_at();
/// Says that this rank has received a message that was sent at this depth.
void note_receipt(std::int64_t sent_depth);
/// Lets other ranks run until one of them wakes this rank. What was waited for may not be there
/// yet.
void sleep_fiber();
void wake_fiber(int rank);

}  // namespace daptor::test
