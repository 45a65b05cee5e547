// SPDX-License-Identifier: BSD-3-Clause
#include "objects.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <unordered_map>

#include "daptor/adapter/reason.hpp"
#include "procedures.hpp"

namespace daptor::fortran {
namespace {

struct Entry {
  std::shared_ptr<void> object;
  const void* kind;
  std::weak_ptr<void> of_others = {};  // a list that layouts keep
};

constexpr const char* list_kind = "list";

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

/// Lists whose layouts are all gone.
void forget_lists() {
  Table& all = table();
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (auto entry = all.entries.begin(); entry != all.entries.end();) {
    const Entry& kept = entry->second;
    const bool gone = kept.object == nullptr && kept.of_others.expired();
    entry = gone ? all.entries.erase(entry) : std::next(entry);
  }
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
  return entry->second.object != nullptr ? entry->second.object : entry->second.of_others.lock();
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

IndicesFromZero kept_list(Handle list) {
  return std::static_pointer_cast<const std::vector<Index>>(find(list, list_kind));
}

void belongs_to_layouts(Handle list) noexcept {
  Table& all = table();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto entry = all.entries.find(list);
  if (entry == all.entries.end() || entry->second.object == nullptr) return;
  entry->second.of_others = entry->second.object;
  entry->second.object.reset();
}

void refuse_empty(const char* type) {
  adapter::refuse_argument("fortran.empty", "a type(" + std::string(type) + ") without an object",
                           "an object that was created and not freed",
                           "Create it first, and check the stat of the call that creates it.");
}

std::shared_ptr<const Array> array_of(Handle handle) {
  return get<Array>(handle);
}

void hold(Array array, Handle* handle) {
  put(std::move(array), *handle);
}

DistArray reversed(const DistArray& array) {
  if (array.ndim() < 2) return array;
  const auto turned = [](auto list) {
    std::reverse(list.begin(), list.end());
    return list;
  };
  const Buffer& buffer = array.buffer();
  // The read-only flag is kept.
  Buffer same(buffer.type(), turned(array.local_shape()), turned(array.byte_strides()),
              const_cast<void*>(buffer.data()), buffer.readonly(), buffer.state(), buffer.space());
  return Section(array.version(), std::move(same), turned(array.dimensions())).on(array.comm());
}

void daptor_fortran_free(Handle& handle) {
  drop(handle);
  handle = 0;
}

void daptor_fortran_share(Handle handle, Handle& copy) {
  const Handle made = share(handle);
  drop(copy);
  copy = made;
}

Handle daptor_fortran_keep_list(const daptor_fortran_argument& indices) {
  try {
    auto list = std::make_shared<std::vector<Index>>(numbers_of(indices));
    for (auto& index : *list) --index;
    forget_lists();
    return add(std::move(list), list_kind);
  } catch (...) {
    return -1;
  }
}

}  // namespace daptor::fortran
