// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <vector>

#include <mpi.h>

#include "daptor/comm.hpp"

/// \file
/// Ranks that take turns on one thread: a hundred thousand of them in one process, or very many
/// small worlds one after the other. Where a rank waits for a message or for the others, the next
/// one runs.

namespace daptor::test {

/// Heap memory that a rank holds, in bytes. Counted only in programs with a replaced operator new
/// (tests/scale/charged_memory.cpp).
struct Account {
  std::int64_t held = 0;
  std::int64_t most = 0;
};

/// The account that pays for memory allocated from now on; null if nobody does.
extern Account* charged_account;

/// What a rank's messages and computations have cost since `meet`.
struct FiberMeter {
  /// Length of the longest chain of messages, each sent after the one before was received, that
  /// ends at this rank. An operation of all P ranks counts as ceil(log2 P) messages after the last
  /// of them has begun it: recursive doubling or a binomial tree. An exchange takes two more, for
  /// a message and the notice of its receipt, unless there are no messages at all.
  std::int64_t depth = 0;
  /// time outside of communication
  double seconds = 0;
};

/// Runs `body` once for each rank. It is less strict than `run_simulated`: a message is on its way
/// as soon as it is sent.
///
/// Returns what each rank threw, null for ranks that returned. Ranks that wait for something that
/// can no longer happen get LibraryFailed (`library.fibers`).
/// @param ranks  each needs about 20 KiB of memory, and 256 KiB of addresses (1 MiB if there are at
///   most 1024)
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

/// A pointer for the caller's use, one for each rank; null at first.
void*& fiber_local();

/// Sends a message to a rank, which is not waited for.
void send_to_fiber(int to, int tag, const void* data, std::size_t count);
/// Receives the first message with this tag from a rank, if it has been sent; with `wait`, waits
/// until it has.
std::optional<std::vector<std::byte>> receive_from_fiber(int from, int tag, bool wait);
/// Lets other ranks run until a message for this rank is sent.
void wait_for_message();

}  // namespace daptor::test
