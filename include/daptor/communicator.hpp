// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <mpi.h>

#include "daptor/types.hpp"

namespace daptor {

class MpiDuplicate;

enum class Reduction { min, max, sum };

namespace detail {

/// A number that this process has not used before.
std::uint64_t new_place() noexcept;

/// The collective call that a rank is in on a communicator, as CollectiveCall keeps it.
struct OpenCall {
  const char* name = nullptr;  ///< null between calls
  bool agreed = false;         ///< the ranks know already that all of them are in this call
  /// Tells the communicator from all others that this process has had.
  std::uint64_t place = new_place();
};

}  // namespace detail

/// A block of bytes to or from another rank.
struct Message {
  int rank = 0;  ///< destination when sent, source when received
  std::vector<std::byte> bytes;
};

/// The few collective operations that Daptor needs, over MPI or over ranks that live in one
/// process.
///
/// Every operation is collective over all ranks unless it says otherwise, and throws LibraryFailed
/// where the transport fails.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Reduces `count` integers over all ranks, in place.
  virtual void allreduce(std::int64_t* values, int count, Reduction reduction) const = 0;
  /// Sum over the ranks below this one; 0 on rank 0.
  virtual std::int64_t exclusive_sum(std::int64_t value) const = 0;
  /// `count` bytes from `root` to all.
  virtual void broadcast(void* data, std::size_t count, int root) const = 0;
  /// Sends `sent` bytes to `to` and receives exactly `received` bytes from `from`; -1 leaves that
  /// side out. Collective over the ranks that are named only.
  virtual void sendrecv(int to, const void* send, std::size_t sent, int from, void* receive,
                        std::size_t received) const = 0;
  /// Each rank sends to any ranks it likes, itself included; nobody needs to know who sends to it,
  /// and nothing of size P is held. Received messages are in order of their source, those of one
  /// source in the order of sending. Throws InvalidArgument, before anything is sent, for a
  /// destination that is no rank: agree on destinations that can be wrong.
  virtual std::vector<Message> exchange(const std::vector<Message>& messages) const = 0;

  /// Where CollectiveCall keeps which call this rank is in. Process-local; the same place for all
  /// objects that stand for one communicator.
  virtual detail::OpenCall& open_call() const noexcept { return open_call_; }

 protected:
  Communicator() = default;
  Communicator(const Communicator&) noexcept {}
  Communicator& operator=(const Communicator&) noexcept { return *this; }

 private:
  mutable detail::OpenCall open_call_;
};

/// Daptor's own duplicate of an MPI communicator: made once, cached on the communicator as an
/// attribute, and freed when that is freed and nothing imported needs it any more. Errors on it are
/// returned, whatever handler the caller's communicator has.
///
/// Collective over `comm` at its first use with that communicator, where it succeeds on all ranks
/// or on none; process-local afterwards. Throws InvalidArgument for MPI_COMM_NULL, for an
/// intercommunicator and before MPI_Init, Finalized after MPI_Finalize.
///
/// MPI_Finalize frees the duplicates that are left, so that objects of this class may outlive it;
/// their operations throw Finalized then. A failure inside `exchange`, such as want of memory,
/// aborts the communicator: other ranks cannot be told of it.
class MpiCommunicator final : public Communicator {
 public:
  explicit MpiCommunicator(MPI_Comm comm);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void allreduce(std::int64_t* values, int count, Reduction reduction) const override;
  std::int64_t exclusive_sum(std::int64_t value) const override;
  void broadcast(void* data, std::size_t count, int root) const override;
  void sendrecv(int to, const void* send, std::size_t sent, int from, void* receive,
                std::size_t received) const override;
  std::vector<Message> exchange(const std::vector<Message>& messages) const override;
  detail::OpenCall& open_call() const noexcept override;

  /// The duplicate. Valid as long as this object, or what `keep_alive` returned, lives.
  MPI_Comm mpi() const { return mpi_; }
  /// Keeps the duplicate beyond the caller's communicator, for native objects that only refer to
  /// it.
  std::shared_ptr<const MpiDuplicate> keep_alive() const { return duplicate_; }
  /// An object that an adapter keeps beside the duplicate and that lives as long as it, under a key
  /// of its own (any address); null where there is none. Process-local.
  const void* kept(const void* key) const noexcept;
  void keep(const void* key, std::shared_ptr<const void> object) const;

 private:
  friend class MpiDuplicate;
  explicit MpiCommunicator(std::shared_ptr<const MpiDuplicate> duplicate);
  MpiCommunicator(MPI_Comm mpi, std::shared_ptr<const MpiDuplicate> duplicate);

  std::shared_ptr<const MpiDuplicate> duplicate_;
  MPI_Comm mpi_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

/// Ranks that live as threads of this process: collective code runs unchanged on any number of
/// ranks without MPI. `body` is called once for each rank, on a thread of its own; returns when all
/// have.
///
/// Stricter than MPI, and the same whatever the threads' timing: a message is handed over only when
/// its receiver asks for it, and ranks that call different operations, or the same with different
/// counts, get LibraryFailed (`library.simulated`). An operation that can no longer happen, because
/// a rank has returned, has thrown, or all wait for each other, throws it too instead of hanging.
/// Rethrows the exception of the lowest rank that let one out; those that only follow from another
/// rank's end come last.
void run_simulated(int ranks, const std::function<void(const Communicator&)>& body);

}  // namespace daptor
