// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/split.hpp"

#include <algorithm>
#include <utility>

namespace daptor::detail {
namespace {

/// Divides the selection into parts of `each` indices; the last part has the rest.
std::vector<Selection> cut(const Selection& selection, Index each) {
  std::vector<Selection> parts;
  if (selection.is_range()) {
    for (Index start = 0; start < selection.count; start += each)
      parts.push_back({selection.start + start, std::min(each, selection.count - start), nullptr});
    return parts;
  }
  if (selection.spans->single()) {
    const auto indices = static_cast<std::size_t>(selection.count);
    const auto most = static_cast<std::size_t>(each);
    for (std::size_t start = 0; start < indices; start += most)
      parts.push_back(
          Selection::of(selection.spans->slice(start, std::min(most, indices - start))));
    return parts;
  }
  IndexSpans kept;
  Index room = each;
  const auto close = [&] {
    if (!kept.empty()) parts.push_back(Selection::of(std::exchange(kept, {})));
    room = each;
  };
  selection.spans->for_each([&](IndexSpan left) {
    while (left.count > 0) {
      const Index taken = std::min(left.count, room);
      kept.add({left.start, taken});
      left.start += taken;
      left.count -= taken;
      room -= taken;
      if (room == 0) close();
    }
  });
  close();
  return parts;
}

}  // namespace

void split(const Region& region, Index most, std::vector<Region>& parts) {
  const Index elements = region.count();
  if (elements == 0) return;
  const auto slowest = std::find_if(region.order.begin(), region.order.end(), [&](int d) {
    return region.along[static_cast<std::size_t>(d)].count > 1;
  });
  if (elements <= most || slowest == region.order.end()) {
    parts.push_back(region);
    return;
  }
  const Selection& along = region.along[static_cast<std::size_t>(*slowest)];
  const Index each = std::max<Index>(1, most / (elements / along.count));
  for (Selection& some : cut(along, each)) {
    Region smaller = region;
    smaller.along[static_cast<std::size_t>(*slowest)] = std::move(some);
    split(smaller, most, parts);
  }
}

}  // namespace daptor::detail
