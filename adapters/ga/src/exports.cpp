// SPDX-License-Identifier: BSD-3-Clause
#include "exports.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "daptor/adapter/library.hpp"

namespace daptor::ga::detail {
namespace {

struct Exports {
  std::mutex mutex;
  std::int64_t last_serial = 0;
  std::unordered_map<int, Exported> by_handle;
};

Exports& exports() {
  static Exports* const instance = new Exports;  // outlives all static objects of the program
  return *instance;
}

template <class Predicate>
std::optional<Exported> find_first(Predicate&& fits) {
  Exports& all = exports();
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (const auto& [handle, exported] : all.by_handle)
    if (fits(exported)) return exported;
  return std::nullopt;
}

void release(Exported& exported) {
  exported.comm.reset();
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

std::optional<Exported> find_export_of(const DistArray& array) {
  if (!array.described()) return std::nullopt;
  const auto on_memory = [&](const Exported& exported) {
    if (!exported.array.described()) return false;
    if (exported.array.buffer().state() == array.buffer().state()) return true;
    return array.local_count() > 0 && array.data() == exported.array.data();
  };
  auto found = find_first([&](const Exported& exported) {
    return on_memory(exported) && exported.array.same_layout(array);
  });
  return found ? found : find_first(on_memory);
}

void forget_export(int handle) {
  std::optional<Exported> gone;
  {
    Exports& all = exports();
    const std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.by_handle.find(handle);
    if (found == all.by_handle.end()) return;
    gone = std::move(found->second);
    all.by_handle.erase(found);
  }
  release(*gone);
}

void discard_export(Exported exported) {
  {
    Exports& all = exports();
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.by_handle.erase(exported.life.handle);
  }
  release(exported);
}

void forget_exports() {
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
