// SPDX-License-Identifier: BSD-3-Clause
#include "index_lists.hpp"

#include <iterator>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "procedures.hpp"

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

daptor::fortran::Handle daptor_fortran_keep_list(const daptor_fortran_argument& indices) {
  using namespace daptor::fortran;
  try {
    auto list = numbers_of(indices);
    for (auto& index : list) --index;
    return keep_list(std::move(list));
  } catch (...) {
    return -1;
  }
}
