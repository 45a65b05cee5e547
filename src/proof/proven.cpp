// SPDX-License-Identifier: BSD-3-Clause
#include "proof/proven.hpp"

#include <atomic>
#include <utility>

#include "daptor/adapter/communicator.hpp"

namespace daptor::detail {
namespace {

std::atomic<std::int64_t> serials{0};

}  // namespace

std::int64_t last_serial() noexcept {
  return serials.load();
}

void note_serial(std::int64_t serial) noexcept {
  std::int64_t last = serials.load();
  while (last < serial && !serials.compare_exchange_weak(last, serial)) {
  }
}

std::shared_ptr<const Proven> ProofAccess::kept(const DistArray& array, const Comm& comm) {
  if (!array.form().has_proof.load(std::memory_order_acquire)) return nullptr;
  auto proven = std::atomic_load(&array.form().proven);
  if (proven != nullptr && proven->place != comm->open_call().place) proven = nullptr;
  return proven;
}

void ProofAccess::keep(const DistArray& array, std::shared_ptr<const Proven> proven) noexcept {
  if (array.form_ == nullptr) return;
  const bool has_proof = proven != nullptr;
  std::atomic_store(&array.form_->proven, std::move(proven));
  array.form_->has_proof.store(has_proof, std::memory_order_release);
}

void ProofAccess::hand_on(const DistArray& array, const DistArray& claim) noexcept {
  if (array.form_ != nullptr) keep(claim, std::atomic_load(&array.form_->proven));
}

}  // namespace daptor::detail
