// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/split.hpp"

#include <algorithm>
#include <utility>

#include "exchange/crossed_copy.hpp"

namespace daptor::detail {

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

void split(const Region& region, const Split& how, std::vector<Region>& parts) {
  const Index elements = region.count();
  if (elements == 0) return;
  const auto extends = [&](int d) { return region.along[static_cast<std::size_t>(d)].count > 1; };
  const auto slowest = std::find_if(region.order.begin(), region.order.end(), extends);
  if (elements <= how.most || slowest == region.order.end()) {
    parts.push_back(region);
    return;
  }
  const auto cut_along = [&](int d, Index each) {
    for (Selection& some : cut(region.along[static_cast<std::size_t>(d)], each)) {
      Region smaller = region;
      smaller.along[static_cast<std::size_t>(d)] = std::move(some);
      split(smaller, how, parts);
    }
  };
  const int fastest = *std::find_if(region.order.rbegin(), region.order.rend(), extends);
  const bool wide = how.most >= crossed_strip * crossed_edge &&
                    region.along[static_cast<std::size_t>(fastest)].count > crossed_strip;
  if (how.crossed && wide && fastest != *slowest) return cut_along(fastest, crossed_strip);
  const Index inside = elements / region.along[static_cast<std::size_t>(*slowest)].count;
  cut_along(*slowest, std::max<Index>(1, how.most / inside));
}

}  // namespace daptor::detail
