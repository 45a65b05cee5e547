// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <mpi.h>

#include "communication/object_tag.hpp"
#include "daptor/communicator.hpp"

namespace daptor {

/// Daptor's duplicate of a caller's communicator. Freed when the caller's is freed and nothing made
/// from it is left, at the latest when MPI_Finalize begins.
class MpiDuplicate {
 public:
  /// Collective over `comm` at the first call for it: on all ranks or on none. Afterwards the
  /// cached duplicate, process-local. A duplicate of ours is its own.
  static std::shared_ptr<MpiDuplicate> of(MPI_Comm comm);

  MpiDuplicate() = default;
  MpiDuplicate(const MpiDuplicate&) = delete;
  MpiDuplicate& operator=(const MpiDuplicate&) = delete;
  ~MpiDuplicate() { free(); }

  /// As detail::only_communicator.
  static std::shared_ptr<const MpiCommunicator> only();

  MPI_Comm comm() const { return comm_; }
  /// Exchanges that follow each other may overlap: a rank that has left one may send in the next
  /// while others are still receiving. Two tags in turn keep them apart, for a rank cannot be two
  /// exchanges ahead.
  int next_exchange_tag() const {
    exchange_turn_ = 1 - exchange_turn_;
    return 2 + exchange_turn_;
  }
  /// The collective call that this process is in on the communicator.
  detail::OpenCall& open_call() const noexcept { return open_call_; }
  const std::shared_ptr<ObjectTags>& object_tags() const { return tags_; }
  /// What an adapter keeps beside the communicator, under a key of its own; null where nothing.
  const void* kept(const void* key) const noexcept;
  void keep(const void* key, std::shared_ptr<const void> object) const;
  /// Does nothing the second time, and after MPI_Finalize.
  void free() noexcept;

 private:
  /// Process-local; null where there is none.
  static std::shared_ptr<MpiDuplicate> cached_on(MPI_Comm comm);
  static std::shared_ptr<MpiDuplicate> make(MPI_Comm comm);

  MPI_Comm comm_ = MPI_COMM_NULL;
  mutable int exchange_turn_ = 0;
  mutable detail::OpenCall open_call_;
  struct Kept {
    const void* key;
    std::shared_ptr<const void> object;
  };
  mutable std::vector<Kept> kept_;
  std::shared_ptr<ObjectTags> tags_ = std::make_shared<ObjectTags>();
};

/// Throws LibraryFailed where `code` is an MPI error.
void check_mpi(int code, const char* function);

/// Throws Finalized or InvalidArgument where MPI cannot be called now.
void require_mpi_running();

/// The same, and InvalidArgument for MPI_COMM_NULL and an intercommunicator.
void require_intracommunicator(MPI_Comm comm);

}  // namespace daptor
