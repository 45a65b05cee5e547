// SPDX-License-Identifier: BSD-3-Clause
#include "context.hpp"

#include <algorithm>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"

namespace daptor::scalapack::detail {
namespace {

/// The contexts over one communicator, kept beside it.
struct Contexts {
  mutable std::vector<std::shared_ptr<const Context>> made;
};

const Contexts& contexts_over(const Comm& comm) {
  static const char key = 0;
  if (const void* kept = comm->kept(&key)) return *static_cast<const Contexts*>(kept);
  auto contexts = std::make_shared<const Contexts>();
  const Contexts& made = *contexts;
  comm->keep(&key, std::move(contexts));
  return made;
}

bool mpi_has_ended() {
  int ended = 0;
  MPI_Finalized(&ended);
  return ended != 0;
}

/// Forgets those that somebody has ended.
std::shared_ptr<const Context> find(const Contexts& contexts, const GridShape& shape) {
  auto& made = contexts.made;
  made.erase(std::remove_if(made.begin(), made.end(),
                            [](const auto& context) { return !context->alive(); }),
             made.end());
  for (const auto& context : made)
    if (context->shape() == shape) return context;
  return nullptr;
}

/// The key of an attribute that marks the BLACS' communicator of a context as Daptor's: its value
/// is the Context.
int mark_key() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    adapter::check_mpi(
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &made, nullptr),
        "MPI_Comm_create_keyval");
    return made;
  }();
  return key;
}

}  // namespace

bool Context::alive() const {
  if (id_ < 0) return true;
  if (!(grid_info(id_) == info_)) return false;
  void* value = nullptr;
  int found = 0;
  MPI_Comm_get_attr(communicator_of(id_), mark_key(), static_cast<void*>(&value), &found);
  return found != 0 && value == this;
}

Context::~Context() {
  if (mpi_has_ended()) return;
  if (id_ >= 0 && alive()) Cblacs_gridexit(id_);
  members_.reset();
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

void Context::make(const Comm& comm) {
  const int rank = comm.rank();
  const bool inside = !shape_.ranks.empty() || rank < shape_.count();
  // A communicator of its own with the caller's error handler: Daptor's duplicate returns errors,
  // which the BLACS would not look at.
  MPI_Comm processes = MPI_COMM_NULL;
  adapter::check_mpi(MPI_Comm_split(comm->original(), inside ? 0 : MPI_UNDEFINED, rank, &processes),
                     "MPI_Comm_split");
  if (!inside) return;
  int context = Csys2blacs_handle(processes);
  const int handle = context;
  if (shape_.ranks.empty()) {
    const char* const order = shape_.order == GridOrder::row ? "Row" : "Column";
    Cblacs_gridinit(&context, order, shape_.rows, shape_.columns);
  } else {
    Cblacs_gridmap(&context, shape_.ranks.data(), shape_.rows, shape_.rows, shape_.columns);
  }
  Cfree_blacs_system_handle(handle);
  id_ = context;
  info_ = grid_info(id_);
  adapter::check_mpi(MPI_Comm_set_attr(communicator_of(id_), mark_key(), this),
                     "MPI_Comm_set_attr");
  if (shape_.count() == comm.size()) {
    MPI_Comm_free(&processes);
  } else {
    comm_ = processes;
    members_.emplace(comm_);
  }
}

std::shared_ptr<const Context> context_of(Call& call, const std::function<GridShape()>& shape) {
  std::shared_ptr<const Context> known;
  std::shared_ptr<Context> next;
  const Contexts* contexts = nullptr;
  Agreed<bool> everybody_knows;
  call.check([&] {
    adapter::require_mpi_running();
    next = std::make_shared<Context>(shape());
    call.comm()->original();  // processes of MPI
    contexts = &contexts_over(call.comm());
    known = find(*contexts, next->shape());
    contexts->made.reserve(contexts->made.size() + 1);
    everybody_knows = call.all(known != nullptr);
  });
  if (everybody_knows) return known;
  call.library("blacs", "Cblacs_gridinit", [&] { next->make(call.comm()); });
  if (known != nullptr)
    std::replace(contexts->made.begin(), contexts->made.end(), known,
                 std::shared_ptr<const Context>(next));
  else
    contexts->made.push_back(next);
  return next;
}

}  // namespace daptor::scalapack::detail
