// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/petsc/dmda.hpp"
#include "daptor/petsc/imported.hpp"

namespace daptor::petsc {

namespace detail {

/// A communicator that Daptor owns. It is freed on every rank, unless MPI has been finalized.
class OwnedComm {
 public:
  OwnedComm() = default;
  OwnedComm(OwnedComm&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
  OwnedComm& operator=(OwnedComm&& other) noexcept;
  ~OwnedComm() { free(); }

  /// Collective. Makes a communicator of the same processes, in the order of these ranks.
  static OwnedComm reordered(const Comm& comm, int rank);
  MPI_Comm get() const { return comm_; }
  void free() noexcept;

 private:
  explicit OwnedComm(MPI_Comm comm) : comm_(comm) {}
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace detail

/// Members are declared in such an order that those needed longest are destroyed last.
struct ImportedDMDA::State {
  State(const Comm& of_import, const Comm& of_dmda) : caller(of_import), comm(of_dmda) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();
  /// Process-local. Throws if padding cannot be updated now.
  void require_updatable() const;
  /// Collective. Lets PETSc itself update the padding, including the ghost points of mirrors.
  void update_with_mirror();

  detail::OwnedComm own_comm;
  /// The communicator of the import, whose ranks are named in errors, and the communicator of the
  /// DMDA.
  Comm caller, comm;
  unsigned session = 0;
  bool readonly = false;
  Stencil stencil = Stencil::box;
  /// Whether PETSc fills ghost points from inside the grid: DM_BOUNDARY_MIRROR.
  bool mirrored = false;
  std::optional<HaloExchange> halo;  // made by the first update_padding
  std::vector<Finding> why_no_local, why_no_global;
  DM dm = nullptr;
  ImportedVec local, global;
};

}  // namespace daptor::petsc
