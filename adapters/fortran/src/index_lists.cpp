// SPDX-License-Identifier: BSD-3-Clause
#include "index_lists.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace daptor::fortran {
namespace {

struct Kept {
  std::weak_ptr<const std::vector<Index>> list;
  IndicesFromZero until_a_layout_has_it;
};

struct Lists {
  std::mutex mutex;
  std::unordered_map<Handle, Kept> entries;
  Handle last = 0;
};

Lists& lists() {
  static Lists& all = *new Lists;
  return all;
}

template <class Integer>
std::vector<Index> from_one(const void* indices, std::int64_t count) {
  const auto* list = static_cast<const Integer*>(indices);
  std::vector<Index> result(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = Index{list[i]} - 1;
  return result;
}

}  // namespace

Handle keep_list(std::vector<Index> from_zero) {
  const auto list = std::make_shared<const std::vector<Index>>(std::move(from_zero));
  Lists& all = lists();
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (auto entry = all.entries.begin(); entry != all.entries.end();)
    entry = entry->second.list.expired() ? all.entries.erase(entry) : std::next(entry);
  all.entries.emplace(all.last + 1, Kept{list, list});
  return ++all.last;
}

IndicesFromZero kept_list(Handle list) {
  Lists& all = lists();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto entry = all.entries.find(list);
  return entry == all.entries.end() ? nullptr : entry->second.list.lock();
}

void belongs_to_layouts(Handle list) noexcept {
  Lists& all = lists();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto entry = all.entries.find(list);
  if (entry != all.entries.end()) entry->second.until_a_layout_has_it.reset();
}

}  // namespace daptor::fortran

extern "C" {

/// Process-local. Keeps a copy of indices that count from 1. Returns -1 if there is no memory for
/// it.
daptor::fortran::Handle daptor_fortran_keep_list(const void* indices, std::int64_t count,
                                                 std::int32_t index_bytes) {
  using namespace daptor::fortran;
  try {
    return keep_list(index_bytes == 4 ? from_one<std::int32_t>(indices, count)
                                      : from_one<std::int64_t>(indices, count));
  } catch (...) {
    return -1;
  }
}
}
