// SPDX-License-Identifier: BSD-3-Clause
#include "imported_dmda.hpp"

#include "daptor/adapter/communicator.hpp"
#include "daptor/call.hpp"
#include "daptor/detail/abort.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "petsc/src/form/access.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc {
namespace detail {

OwnedComm& OwnedComm::operator=(OwnedComm&& other) noexcept {
  if (this == &other) return *this;
  free();
  comm_ = std::exchange(other.comm_, MPI_COMM_NULL);
  return *this;
}

OwnedComm OwnedComm::reordered(const Comm& comm, int rank) {
  MPI_Comm reordered = MPI_COMM_NULL;
  if (MPI_Comm_split(comm->mpi(), 0, rank, &reordered) != MPI_SUCCESS) {
    if (comm.size() > 1) daptor::detail::abort_communicator(comm->mpi(), "MPI_Comm_split", "");
    throw LibraryFailed("mpi", "MPI_Comm_split", "failed");
  }
  return OwnedComm(reordered);
}

void OwnedComm::free() noexcept {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (comm_ != MPI_COMM_NULL && finalized == 0) MPI_Comm_free(&comm_);
  comm_ = MPI_COMM_NULL;
}

namespace {

const ImportedVec& required(const ImportedVec& vec, const std::vector<Finding>& why_not) {
  if (!vec) throw NotRepresentable(Report(why_not));
  return vec;
}

}  // namespace

std::unique_ptr<ImportedDMDA::State> Access::dmda_state(const Comm& of_import,
                                                        const Comm& of_dmda) {
  return std::make_unique<ImportedDMDA::State>(of_import, of_dmda);
}

ImportedDMDA Access::imported_dmda(std::unique_ptr<ImportedDMDA::State> state) {
  return ImportedDMDA(std::move(state));
}

}  // namespace detail

ImportedDMDA::State::~State() {
  if (dm == nullptr) return;
  if (detail::alive(session)) {
    const detail::QuietErrors quiet;
    static_cast<void>(DMDestroy(&dm));
  } else {
    detail::note_outlived();
  }
}

ImportedDMDA::ImportedDMDA() = default;
ImportedDMDA::ImportedDMDA(std::unique_ptr<State> state) : state_(std::move(state)) {}
ImportedDMDA::ImportedDMDA(ImportedDMDA&& other) noexcept = default;
ImportedDMDA& ImportedDMDA::operator=(ImportedDMDA&& other) noexcept = default;
ImportedDMDA::~ImportedDMDA() = default;

const ImportedDMDA::State& ImportedDMDA::state() const {
  if (!state_)
    throw InvalidArgument("import", "an ImportedDMDA that was closed, moved or never filled",
                          "the result of " + names::import_dmda + ", before it is closed");
  return *state_;
}

DM ImportedDMDA::dm() const& {
  return state().dm;
}

MPI_Comm ImportedDMDA::communicator() const& {
  detail::require_alive(state().session);
  return PetscObjectComm(detail::object(state().dm));
}

bool ImportedDMDA::reordered() const {
  return state().own_comm.get() != MPI_COMM_NULL;
}

const DistArray& ImportedDMDA::array() const& {
  return state().local ? state().local.array() : state().global.array();
}

bool ImportedDMDA::has_local() const {
  return static_cast<bool>(state().local);
}

bool ImportedDMDA::has_global() const {
  return static_cast<bool>(state().global);
}

Vec ImportedDMDA::local() const& {
  return detail::required(state().local, state().why_no_local).get();
}

Vec ImportedDMDA::global() const& {
  return detail::required(state().global, state().why_no_global).get();
}

void ImportedDMDA::State::require_updatable() const {
  detail::require_alive(session);
  if (readonly)
    throw InvalidArgument("array", "read-only memory",
                          "writable memory, because an update writes the padding");
  detail::Access::require_in_place(detail::required(local, why_no_local));
}

void ImportedDMDA::State::update_with_mirror() {
  Call call(caller, names::in_dmda_update);
  call.check([&] { require_updatable(); });
  const Vec vec = local.get();
  Call numbered(comm, "ImportedDMDA::update_padding");
  numbered.library(detail::Routine("DMLocalToLocalBegin", DMLocalToLocalBegin), dm, vec,
                   INSERT_VALUES, vec);
  numbered.library(detail::Routine("DMLocalToLocalEnd", DMLocalToLocalEnd), dm, vec, INSERT_VALUES,
                   vec);
  local.array().modified();
}

void ImportedDMDA::update_padding() {
  state();
  State& self = *state_;
  if (self.mirrored) {
    self.update_with_mirror();
    return;
  }
  if (self.halo) {
    self.require_updatable();
  } else {
    Call call(self.caller, names::in_dmda_update);
    call.check([&] { self.require_updatable(); });
    self.halo.emplace(array(), HaloOptions{self.stencil});
  }
  self.halo->update();
}

void ImportedDMDA::rebind(const Section& array) {
  const State& self = state();
  for (const ImportedVec* vec : {&self.local, &self.global})
    if (*vec) detail::Access::require_rebindable(*vec, array);
  const DistArray old = this->array();
  if (self.halo) state_->halo->rebind(array.on(self.caller));
  try {
    for (ImportedVec* vec : {&state_->local, &state_->global})
      if (*vec) detail::Access::place(*vec, array);
  } catch (...) {
    if (self.halo) state_->halo->rebind(old);
    throw;
  }
}

void ImportedDMDA::close() {
  if (!state_) return;
  const Comm ranks = state_->caller;  // must outlive what is closed
  Call call(ranks, names::in_dmda_close);
  call.check([&] { detail::require_alive(state_->session); });
  state_.reset();
}

}  // namespace daptor::petsc
