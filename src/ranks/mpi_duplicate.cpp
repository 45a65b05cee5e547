// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/mpi_duplicate.hpp"

#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/first_failure.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/detail/only_communicator.hpp"
#include "daptor/error.hpp"
#include "ranks/agreement.hpp"

namespace daptor {
namespace {

using Slot = std::shared_ptr<MpiDuplicate>;

/// Keys of our attributes, and the duplicates that are alive, so that all of them can be freed when
/// MPI_Finalize begins: MPI deletes the attributes of MPI_COMM_SELF first.
struct Registry {
  std::mutex mutex;
  int cache_key = MPI_KEYVAL_INVALID;
  /// The attribute on a duplicate itself: a weak pointer to its object.
  int self_key = MPI_KEYVAL_INVALID;
  int finalize_key = MPI_KEYVAL_INVALID;
  std::vector<std::weak_ptr<MpiDuplicate>> alive;
};

Registry& registry() {
  // Never destroyed: MPI may call back while static objects are torn down.
  static auto* const instance = new Registry;
  return *instance;
}

int delete_cached(MPI_Comm, int, void* value, void*) {
  auto* const slot = static_cast<Slot*>(value);
  (*slot)->forget_original();
  delete slot;
  return MPI_SUCCESS;
}

int delete_self(MPI_Comm, int, void* value, void*) {
  delete static_cast<std::weak_ptr<MpiDuplicate>*>(value);
  return MPI_SUCCESS;
}

int before_finalize(MPI_Comm, int, void*, void*) {
  Registry& self = registry();
  const std::lock_guard<std::mutex> lock(self.mutex);
  for (const auto& entry : self.alive)
    if (const Slot duplicate = entry.lock()) {
      // MPI promises that MPI_Finalize deletes the attributes of MPI_COMM_SELF, the latest first,
      // and no others: Open MPI 6 leaves those of MPI_COMM_WORLD. A duplicate that is cached on
      // MPI_COMM_SELF itself was set later than this callback, and has gone by now.
      if (duplicate->is_cached()) MPI_Comm_delete_attr(duplicate->original(), self.cache_key);
      duplicate->free();
    }
  self.alive.clear();
  if (self.cache_key != MPI_KEYVAL_INVALID) MPI_Comm_free_keyval(&self.cache_key);
  if (self.self_key != MPI_KEYVAL_INVALID) MPI_Comm_free_keyval(&self.self_key);
  if (self.finalize_key != MPI_KEYVAL_INVALID) MPI_Comm_free_keyval(&self.finalize_key);
  return MPI_SUCCESS;
}

void create_keys(Registry& self) {
  if (self.cache_key != MPI_KEYVAL_INVALID) return;
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_cached, &self.cache_key, nullptr),
            "MPI_Comm_create_keyval");
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_self, &self.self_key, nullptr),
            "MPI_Comm_create_keyval");
  check_mpi(
      MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, before_finalize, &self.finalize_key, nullptr),
      "MPI_Comm_create_keyval");
  check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, self.finalize_key, nullptr), "MPI_Comm_set_attr");
}

void remember(Registry& self, const Slot& duplicate) {
  auto& alive = self.alive;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < alive.size(); ++i)
    if (!alive[i].expired()) std::swap(alive[kept++], alive[i]);
  alive.resize(kept);
  alive.push_back(duplicate);
}

/// Collective over `comm`, a duplicate that has no object yet.
void agree_over(MPI_Comm comm, const std::exception_ptr& failure) {
  const MpiCommunicator ranks(comm);
  // Owns no communicator, and so does not allocate, which could fail here.
  const Comm comm_of_ranks(std::shared_ptr<const Communicator>(std::shared_ptr<void>(), &ranks));
  detail::Agreement agreement(comm_of_ranks, failure, 0);
  agreement.reduce();
  if (const std::exception_ptr error = agreement.error()) std::rethrow_exception(error);
}

}  // namespace

void require_intracommunicator(MPI_Comm comm) {
  require_mpi_running();
  if (comm == MPI_COMM_NULL)
    throw InvalidArgument("comm", "MPI_COMM_NULL", "a communicator that this process is in");
  int intercommunicator = 0;
  check_mpi(MPI_Comm_test_inter(comm, &intercommunicator), "MPI_Comm_test_inter");
  if (intercommunicator != 0)
    throw InvalidArgument("comm", "an intercommunicator", "an intracommunicator");
}

Slot MpiDuplicate::cached_on(MPI_Comm comm) {
  const std::lock_guard<std::mutex> lock(registry().mutex);
  return found_on(comm);
}

/// Under the lock of the registry.
Slot MpiDuplicate::found_on(MPI_Comm comm) {
  const Registry& self = registry();
  // The keys exist from our first call until MPI_Finalize; MPI is running as long as they do.
  if (comm == MPI_COMM_NULL || self.cache_key == MPI_KEYVAL_INVALID) return nullptr;
  void* cached = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(comm, self.cache_key, &cached, &found), "MPI_Comm_get_attr");
  if (found != 0) return *static_cast<Slot*>(cached);
  check_mpi(MPI_Comm_get_attr(comm, self.self_key, &cached, &found), "MPI_Comm_get_attr");
  return found != 0 ? static_cast<std::weak_ptr<MpiDuplicate>*>(cached)->lock() : nullptr;
}

Slot MpiDuplicate::of(MPI_Comm comm) {
  if (Slot cached = cached_on(comm)) return cached;
  require_intracommunicator(comm);
  Registry& self = registry();
  {
    const std::lock_guard<std::mutex> lock(self.mutex);
    create_keys(self);
  }
  return make(comm);
}

Slot MpiDuplicate::make(MPI_Comm comm) {
  auto slot = std::make_unique<Slot>(std::make_shared<MpiDuplicate>());
  Slot duplicate = *slot;
  duplicate->self_ = duplicate;
  duplicate->measure(comm);
  Registry& self = registry();
  const std::lock_guard<std::mutex> lock(self.mutex);
  if (Slot other = found_on(comm)) return other;  // another thread was faster
  remember(self, duplicate);
  check_mpi(MPI_Comm_set_attr(comm, self.cache_key, slot.get()), "MPI_Comm_set_attr");
  static_cast<void>(slot.release());  // delete_cached owns it now
  duplicate->original_ = comm;
  return duplicate;
}

void MpiDuplicate::bind_late() {
  if (original_ == MPI_COMM_NULL)
    throw InvalidArgument("comm", "a communicator that was freed before its first use here",
                          "one that lives at least until the first collective call over it");
  MPI_Comm made = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(original_, &made), "MPI_Comm_dup");
  adapter::FirstFailure failure;
  failure.attempt([&] {
    detail::fault_point("core.communicator.cache");
    check_mpi(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    auto known = std::make_unique<std::weak_ptr<MpiDuplicate>>(self_);
    check_mpi(MPI_Comm_set_attr(made, registry().self_key, known.get()), "MPI_Comm_set_attr");
    static_cast<void>(known.release());  // delete_self owns it now
  });
  try {
    agree_over(made, failure.get());
  } catch (...) {
    // All ranks have come here, so they free the duplicate together.
    MPI_Comm_free(&made);
    throw;
  }
  take(made);
}

MPI_Comm MpiDuplicate::mpi() const {
  const MPI_Comm made = MpiCommunicator::mpi();
  return made != MPI_COMM_NULL ? made : original_;
}

std::optional<Comm> MpiDuplicate::only() {
  std::vector<Slot> alive;
  {
    Registry& self = registry();
    const std::lock_guard<std::mutex> lock(self.mutex);
    for (const auto& entry : self.alive)
      if (Slot duplicate = entry.lock()) alive.push_back(std::move(duplicate));
  }
  // Those over which there was a call, if there are any.
  for (const bool made : {true, false}) {
    Slot found;
    std::size_t count = 0;
    for (const Slot& duplicate : alive) {
      if (duplicate->is_made() != made || duplicate->size() == 1) continue;
      if (!made && !duplicate->is_cached()) continue;
      ++count;
      found = duplicate;
    }
    if (count == 1) return Comm(std::move(found));
    if (count > 1) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Comm> detail::only_communicator() {
  return MpiDuplicate::only();
}

const MpiDuplicate& MpiDuplicate::behind(const Comm& comm) {
  if (const auto* duplicate = dynamic_cast<const MpiDuplicate*>(&*comm)) return *duplicate;
  // A Communicator of another class may pass its operations on to a duplicate.
  if (const Slot duplicate = cached_on(comm->mpi()); duplicate && duplicate->mpi() == comm->mpi())
    return *duplicate;
  throw InvalidArgument("comm", "ranks that are not processes of MPI", "an MPI communicator");
}

void MpiDuplicate::free() noexcept {
  MPI_Comm comm = MpiCommunicator::mpi();
  if (comm == MPI_COMM_NULL) return;
  if (adapter::mpi_running()) MPI_Comm_free(&comm);
  unbind();
}

}  // namespace daptor
