// SPDX-License-Identifier: BSD-3-Clause
#include "exports.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "daptor/adapter/library.hpp"
#include "immortal.hpp"

namespace daptor::ga::detail {
namespace {

struct Exports {
  std::mutex mutex;
  std::int64_t last_serial = 0;
  std::unordered_map<int, Exported> by_handle;
};

Exports& exports() noexcept {
  return immortal<Exports>();
}

/// Of those that fit, the one that was exported first, which is the same on all ranks.
template <class Predicate>
std::optional<Exported> find_first(Predicate&& fits) {
  Exports& all = exports();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const Exported* first = nullptr;
  for (const auto& [handle, exported] : all.by_handle)
    if ((first == nullptr || exported.serial < first->serial) && fits(exported)) first = &exported;
  if (first == nullptr) return std::nullopt;
  return *first;
}

void release(Exported& exported) noexcept {
  exported.array = DistArray();
  if (exported.made != MPI_COMM_NULL && adapter::mpi_running()) MPI_Comm_free(&exported.made);
}

}  // namespace

std::int64_t next_serial() {
  Exports& all = exports();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return all.last_serial + 1;
}

void keep_export(Exported exported) {
  Exports& all = exports();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.last_serial = std::max(all.last_serial, exported.serial);
  all.by_handle.insert_or_assign(exported.life.handle, std::move(exported));
}

std::optional<Exported> find_export(int handle) {
  Exports& all = exports();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.by_handle.find(handle);
  if (found == all.by_handle.end()) return std::nullopt;
  return found->second;
}

std::optional<Exported> find_export_by_serial(std::int64_t serial) {
  return find_first([&](const Exported& exported) { return exported.serial == serial; });
}

std::optional<Exported> find_export_of(const Section& array) {
  if (!array.described()) return std::nullopt;
  const auto of_state = [&](const Exported& exported) {
    return exported.array.described() && exported.array.buffer().state() == array.buffer().state();
  };
  const auto on_memory = [&](const Exported& exported) {
    return exported.array.described() && array.local_count() > 0 &&
           array.data() == exported.array.data();
  };
  const auto alike = [&](const Exported& exported) {
    return on_memory(exported) && exported.array.same_layout(array);
  };
  if (auto found = find_first(of_state)) return found;
  if (auto found = find_first(alike)) return found;
  return find_first(on_memory);
}

void forget_export(int handle) noexcept {
  Exports& all = exports();
  std::unordered_map<int, Exported>::node_type gone;  // released when the lock is not held
  {
    const std::lock_guard<std::mutex> lock(all.mutex);
    gone = all.by_handle.extract(handle);
  }
  if (gone) release(gone.mapped());
}

void discard_export(Exported exported) {
  {
    Exports& all = exports();
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.by_handle.erase(exported.life.handle);
  }
  release(exported);
}

void forget_exports() noexcept {
  std::unordered_map<int, Exported> gone;
  {
    Exports& all = exports();
    const std::lock_guard<std::mutex> lock(all.mutex);
    gone.swap(all.by_handle);
  }
  // In the order of their making, which is the same on the processes that share a communicator.
  while (!gone.empty()) {
    const auto first = std::min_element(gone.begin(), gone.end(), [](const auto& a, const auto& b) {
      return a.second.serial < b.second.serial;
    });
    release(first->second);
    gone.erase(first);
  }
}

}  // namespace daptor::ga::detail
