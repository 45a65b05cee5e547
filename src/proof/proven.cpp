// SPDX-License-Identifier: BSD-3-Clause
#include "proof/proven.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <utility>

#include "daptor/adapter/communicator.hpp"

namespace daptor::detail {
namespace {

std::atomic<std::int64_t> serials{0};

/// Guards the proof that is kept at this address. C++17's atomic functions for a shared_ptr do the
/// same, and C++20 deprecates them; its std::atomic<std::shared_ptr> has another size, and the
/// layout of a description is the same for users of both.
std::mutex& guard_of(const std::shared_ptr<const Proven>& place) {
  static std::array<std::mutex, 16> guards;
  return guards[reinterpret_cast<std::uintptr_t>(&place) / 64 % guards.size()];
}

std::shared_ptr<const Proven> load_proof(const std::shared_ptr<const Proven>& place) {
  const std::lock_guard<std::mutex> lock(guard_of(place));
  return place;
}

/// The proof that was there before is released after the guard.
void store_proof(std::shared_ptr<const Proven>& place, std::shared_ptr<const Proven> proven) {
  const std::lock_guard<std::mutex> lock(guard_of(place));
  place.swap(proven);
}

}  // namespace

std::int64_t last_serial() noexcept {
  return serials.load();
}

void note_serial(std::int64_t serial) noexcept {
  std::int64_t last = serials.load();
  while (last < serial && !serials.compare_exchange_weak(last, serial)) {
  }
}

std::shared_ptr<const Proven> ProofAccess::kept(const Section& array, const Comm& comm) {
  if (!array.form().has_proof.load(std::memory_order_acquire)) return nullptr;
  auto proven = load_proof(array.form().proven);
  if (proven != nullptr && proven->communicator_number != comm->open_call().communicator_number)
    proven = nullptr;
  return proven;
}

void ProofAccess::keep(const Section& array, std::shared_ptr<const Proven> proven) noexcept {
  if (array.form_ == nullptr) return;
  const bool has_proof = proven != nullptr;
  store_proof(array.form_->proven, std::move(proven));
  array.form_->has_proof.store(has_proof, std::memory_order_release);
}

void ProofAccess::hand_on(const Section& array, const Section& claim) noexcept {
  if (array.form_ != nullptr) keep(claim, load_proof(array.form_->proven));
}

}  // namespace daptor::detail
