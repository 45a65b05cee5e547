// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/tpetra/adapter/kokkos.hpp"

#include <atomic>
#include <mutex>
#include <vector>

#include <Kokkos_Core.hpp>
#include <Tpetra_Map.hpp>

#include "daptor/adapter/note.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra/adapter/space.hpp"
#include "daptor/tpetra/imported.hpp"
#include "found.hpp"
#include "names.hpp"

namespace daptor::tpetra {
namespace {

std::atomic<bool> seen_running{false};

}  // namespace

bool detail::kokkos_running() noexcept {
  return Kokkos::is_initialized();
}

void detail::keep_forever(std::shared_ptr<void> native) noexcept {
  // Reachable until the process ends, and never destroyed, because the libraries below end earlier.
  // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): without memory for this, the process ends
  static auto* const kept = new std::vector<std::shared_ptr<void>>;
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  if (kept->empty())
    adapter::note(
        "a Tpetra object still existed when Kokkos ended, and is not destroyed; release it before "
        "that (reported once)");
  kept->push_back(std::move(native));
}

MemorySpace vector_space() {
  return PlaceOf<Tpetra::Map<>::device_type::memory_space>::get();
}

void require_host_vectors(const Terms& remedy) {
  if (vector_space().host()) return;
  throw NotRepresentable(adapter::reason(
      "tpetra.device", "a Trilinos that has its values in " + vector_space().kind(),
      "a Trilinos whose default node is on the host (Serial, OpenMP or Threads)", remedy));
}

void require_trilinos() {
  if (detail::kokkos_running()) {
    if (seen_running.load(std::memory_order_relaxed)) return;
    require_same_trilinos();
    seen_running.store(true, std::memory_order_relaxed);
    return;
  }
  if (seen_running.load(std::memory_order_relaxed)) throw Finalized("Kokkos");
  adapter::refuse_argument("tpetra.not-initialized", "a call while Kokkos is not running",
                           "a call after Kokkos was started",
                           "Make a " + names::scope_guard + ", or call " + names::initialize +
                               ", first; and make no Tpetra calls after its end.");
}

}  // namespace daptor::tpetra
