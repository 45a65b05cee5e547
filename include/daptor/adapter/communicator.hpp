// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <mpi.h>

#include "daptor/comm.hpp"
#include "daptor/process_grid.hpp"
#include "daptor/terms.hpp"

/// \file
/// For authors of adapters: the operations behind a Comm, and the communicators of callers and
/// native objects.

namespace daptor {

enum class Reduction { min, max, sum };

namespace detail {

/// A number that this process has not used before.
std::uint64_t new_communicator_number() noexcept;

/// The collective call in which a rank is on a communicator, as Call keeps it.
struct OpenCall {
  CallName name = {};  ///< empty between calls
  /// Distinguishes the communicator from all others that this process has had.
  std::uint64_t communicator_number = new_communicator_number();
};

}  // namespace detail

/// A block of bytes sent to, or received from, another rank.
struct Message {
  int rank = 0;                  ///< destination when sent, source when received
  std::vector<std::byte> bytes;  ///< may be empty; the message is delivered nevertheless
};

/// The few collective operations that Daptor needs, over MPI or over ranks that are simulated in
/// one process. There is one object for each communicator, to which every Comm for it refers.
///
/// Every operation is collective over all ranks unless it says otherwise, and throws LibraryFailed
/// if the transport fails. Over MPI, errors are returned whatever error handler the caller's
/// communicator has; operations throw Finalized after MPI_Finalize; and a failure inside
/// `exchange`, such as lack of memory, aborts the communicator, because other ranks cannot be told
/// of it.
class Communicator {
 public:
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Reduces integers over all ranks, in place.
  /// @param values     `count` integers
  /// @param count      the same on all ranks
  /// @param reduction  the same on all ranks
  virtual void allreduce(std::int64_t* values, int count, Reduction reduction) const = 0;
  /// Sum of the values of the ranks below this one; 0 on rank 0.
  virtual std::int64_t exclusive_sum(std::int64_t value) const = 0;
  /// Copies bytes from one rank to all others.
  /// @param data   read on `root` and written on the other ranks
  /// @param count  number of bytes, the same on all ranks
  /// @param root   the same on all ranks
  virtual void broadcast(void* data, std::size_t count, int root) const = 0;
  /// Sends to one rank and receives from another. Collective only over the ranks involved, except
  /// as the first operation over an MPI communicator, which must be made by all of its ranks.
  /// @param to        destination; -1 to send nothing
  /// @param send      `sent` bytes
  /// @param sent      number of bytes to send
  /// @param from      source; -1 to receive nothing
  /// @param receive   room for `received` bytes
  /// @param received  number of bytes to receive, exactly as many as the source sends
  virtual void sendrecv(int to, const void* send, std::size_t sent, int from, void* receive,
                        std::size_t received) const = 0;
  /// Each rank sends to any ranks, including itself. No rank needs to know which ranks send to it,
  /// and no rank holds a table of size P.
  /// @param messages  one or more for each destination
  /// @returns what this rank received, in the order of the sources; messages of one source are in
  ///   the order of sending
  /// @throws InvalidArgument on this rank, before anything is sent, for a destination that is not a
  ///   rank; if destinations may be wrong, agree on them first
  virtual std::vector<Message> exchange(const std::vector<Message>& messages) const = 0;

  /// Daptor's duplicate of the caller's communicator, for calls of another library and for native
  /// objects that only refer to their communicator. The first operation makes the duplicate; before
  /// that, the caller's own communicator. Valid as long as a Comm for it lives, but no longer than
  /// MPI. Process-local. Throws InvalidArgument (`comm`) if the ranks are not those of
  /// an MPI communicator.
  virtual MPI_Comm mpi() const;
  /// The caller's own communicator, for native objects that keep a communicator themselves and that
  /// others should find by it; if the caller's communicator has been freed, the duplicate.
  /// Process-local. Throws like `mpi`.
  virtual MPI_Comm original() const { return mpi(); }
  /// The grid of a Cartesian communicator; `nullopt` for any other. Process-local.
  virtual std::optional<ProcessGrid> cartesian() const { return std::nullopt; }

  /// The object that an adapter keeps beside the communicator; null if there is none.
  /// Process-local.
  /// @param key  any address that belongs to the adapter
  const void* kept(const void* key) const noexcept;
  /// Keeps an object beside the communicator as long as that lives. Process-local.
  /// @param key     see `kept`; no object may be kept under it yet
  /// @param object  shared, not copied
  void keep(const void* key, std::shared_ptr<const void> object) const;

  /// Where Call keeps the call in which this rank is. Process-local.
  detail::OpenCall& open_call() const noexcept { return open_call_; }

 protected:
  Communicator() = default;

 private:
  struct Kept {
    const void* key;
    std::shared_ptr<const void> object;
  };
  mutable detail::OpenCall open_call_;
  mutable std::vector<Kept> kept_;
};

namespace adapter {

/// Whether the two communicators have the same processes in the same order; true for two
/// MPI_COMM_NULL, false for one. Process-local.
inline bool same_processes(MPI_Comm a, MPI_Comm b) {
  if (a == b) return true;
  if (a == MPI_COMM_NULL || b == MPI_COMM_NULL) return false;
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(a, b, &result);
  return result == MPI_IDENT || result == MPI_CONGRUENT;
}

}  // namespace adapter

}  // namespace daptor
