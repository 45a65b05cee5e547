// SPDX-License-Identifier: BSD-3-Clause
#include "objects.hpp"

#include <mutex>
#include <unordered_map>

#include "daptor/error.hpp"

namespace daptor::fortran {
namespace {

struct Entry {
  std::shared_ptr<void> object;
  const void* kind;
};

struct Table {
  std::mutex mutex;
  std::unordered_map<Handle, Entry> entries;
  Handle last = 0;
};

/// Never destroyed: objects that Fortran still holds when the program ends may belong to libraries
/// that are unloaded by then.
Table& table() {
  static Table& all = *new Table;
  return all;
}

}  // namespace

Handle add(std::shared_ptr<void> object, const void* kind) {
  Table& all = table();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.entries.emplace(all.last + 1, Entry{std::move(object), kind});
  return ++all.last;
}

std::shared_ptr<void> find(Handle handle, const void* kind) {
  Table& all = table();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto entry = all.entries.find(handle);
  if (entry == all.entries.end() || entry->second.kind != kind) return nullptr;
  return entry->second.object;
}

Handle share(Handle handle) {
  Table& all = table();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto entry = all.entries.find(handle);
  if (entry == all.entries.end()) return 0;
  const Entry copy = entry->second;
  all.entries.emplace(all.last + 1, copy);
  return ++all.last;
}

void drop(Handle handle) noexcept {
  if (handle == 0) return;
  // Declared before the lock, so that it is destroyed after it: that may run a producer's own code.
  std::shared_ptr<void> object;
  Table& all = table();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto entry = all.entries.find(handle);
  if (entry == all.entries.end()) return;
  object = std::move(entry->second.object);
  all.entries.erase(entry);
}

void refuse_empty(const char* type) {
  throw InvalidArgument(Report(
      {error_finding("fortran.empty", -1, "", "a type(" + std::string(type) + ") without an object",
                     "an object that was created and not freed",
                     "Create it first, and check the stat of the call that creates it.")}));
}

std::shared_ptr<const Array> array_of(Handle handle) {
  return get<Array>(handle);
}

void hold(Array array, Handle* handle) {
  put(std::make_shared<Array>(std::move(array)), handle);
}

}  // namespace daptor::fortran

extern "C" {

void daptor_fortran_free(daptor::fortran::Handle* handle) {
  daptor::fortran::drop(*handle);
  *handle = 0;
}

daptor::fortran::Handle daptor_fortran_share(daptor::fortran::Handle handle) {
  return daptor::fortran::share(handle);
}
}
