// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include <mpi.h>

#include "daptor/adapter/library.hpp"
#include "ranks/mpi_communicator.hpp"
#include "ranks/object_tag.hpp"
#include "ranks/process_grid.hpp"

namespace daptor {

/// Daptor's duplicate of a caller's communicator, to which a Comm over MPI refers. The first
/// operation makes it, which is collective as all operations are: a Comm that is never used costs
/// no communicator. It is freed when the caller's communicator is freed and no Comm is left, at the
/// latest when MPI_Finalize begins.
class MpiDuplicate final : public MpiCommunicator {
 public:
  /// Process-local. The object that is kept with `comm`, made in the first call for it. For a
  /// duplicate, returns the duplicate itself.
  static std::shared_ptr<MpiDuplicate> of(MPI_Comm comm);
  /// The duplicate to which a Comm refers, by itself or through a Communicator that passes its
  /// operations on. Throws InvalidArgument (`comm`) if there is none, as for simulated ranks.
  /// Process-local.
  static const MpiDuplicate& behind(const Comm& comm);

  MpiDuplicate() = default;
  ~MpiDuplicate() override { free(); }

  /// See detail::only_communicator.
  static std::optional<Comm> only();

  /// Before the first operation, the caller's.
  MPI_Comm mpi() const override;
  MPI_Comm original() const override { return original_ != MPI_COMM_NULL ? original_ : mpi(); }
  std::optional<ProcessGrid> cartesian() const override {
    return detail::cartesian_grid(original());
  }
  /// Whether an operation has made the duplicate.
  bool is_made() const noexcept { return MpiCommunicator::mpi() != MPI_COMM_NULL; }
  /// Whether this duplicate is an attribute of `original()`, the caller's communicator, which has
  /// not been freed.
  bool is_cached() const noexcept { return original_ != MPI_COMM_NULL; }
  /// Called when the caller's communicator is about to be freed.
  void forget_original() noexcept { original_ = MPI_COMM_NULL; }
  const std::shared_ptr<ObjectTags>& object_tags() const { return tags_; }
  /// Has no effect the second time, and after MPI_Finalize.
  void free() noexcept;

 private:
  /// Process-local. The cached duplicate, or null if there is none.
  static std::shared_ptr<MpiDuplicate> cached_on(MPI_Comm comm);
  static std::shared_ptr<MpiDuplicate> found_on(MPI_Comm comm);
  static std::shared_ptr<MpiDuplicate> make(MPI_Comm comm);
  /// Makes the duplicate on all ranks or on none.
  void bind_late() override;

  /// What the attribute on the duplicate refers to.
  std::weak_ptr<MpiDuplicate> self_;
  MPI_Comm original_ = MPI_COMM_NULL;
  std::shared_ptr<ObjectTags> tags_ = std::make_shared<ObjectTags>();
};

using adapter::check_mpi;
using adapter::require_mpi_running;

/// Like `require_mpi_running`; also throws InvalidArgument for MPI_COMM_NULL and for an
/// intercommunicator.
void require_intracommunicator(MPI_Comm comm);

}  // namespace daptor
