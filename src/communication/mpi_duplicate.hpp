// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include <mpi.h>

#include "communication/mpi_communicator.hpp"
#include "communication/object_tag.hpp"
#include "daptor/adapter/library.hpp"

namespace daptor {

/// Daptor's duplicate of a caller's communicator: what is behind a Comm over MPI. Freed when the
/// caller's is freed and no Comm is left, at the latest when MPI_Finalize begins.
class MpiDuplicate final : public MpiCommunicator {
 public:
  /// Collective over `comm` at the first call for it: on all ranks or on none. Afterwards the
  /// cached duplicate, process-local. A duplicate of ours is its own.
  static std::shared_ptr<MpiDuplicate> of(MPI_Comm comm);
  /// The duplicate that a Comm stands for. Throws InvalidArgument (`comm`) for ranks that are not
  /// MPI's. Process-local.
  static const MpiDuplicate& behind(const Comm& comm);

  MpiDuplicate() = default;
  ~MpiDuplicate() override { free(); }

  /// As detail::only_communicator.
  static std::optional<Comm> only();

  MPI_Comm original() const override { return original_ != MPI_COMM_NULL ? original_ : mpi(); }
  /// The caller's communicator is about to be freed.
  void forget_original() noexcept { original_ = MPI_COMM_NULL; }
  const std::shared_ptr<ObjectTags>& object_tags() const { return tags_; }
  /// Does nothing the second time, and after MPI_Finalize.
  void free() noexcept;

 private:
  /// Process-local; null where there is none.
  static std::shared_ptr<MpiDuplicate> cached_on(MPI_Comm comm);
  static std::shared_ptr<MpiDuplicate> make(MPI_Comm comm);

  MPI_Comm original_ = MPI_COMM_NULL;
  std::shared_ptr<ObjectTags> tags_ = std::make_shared<ObjectTags>();
};

using adapter::check_mpi;
using adapter::require_mpi_running;

/// The same, and InvalidArgument for MPI_COMM_NULL and an intercommunicator.
void require_intracommunicator(MPI_Comm comm);

}  // namespace daptor
