#include "redistribution/chunks.hpp"

#include <algorithm>
#include <utility>

namespace daptor::detail {
namespace {

/// `count` of the selection's indices from the `start`-th on.
Selection part(const Selection& selection, Index start, Index count) {
  if (selection.is_range()) return {selection.start + start, count, nullptr};
  std::vector<Stretch> kept;
  for (const Stretch& stretch : *selection.stretches) {
    if (count == 0) break;
    const Index skipped = std::min(start, stretch.count);
    const Index taken = std::min(count, stretch.count - skipped);
    if (taken > 0) kept.push_back({stretch.start + skipped, taken});
    start -= skipped;
    count -= taken;
  }
  return Selection::of(std::move(kept));
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
  for (Index start = 0; start < along.count; start += each) {
    Region smaller = region;
    smaller.along[static_cast<std::size_t>(*slowest)] =
        part(along, start, std::min(each, along.count - start));
    split(smaller, most, parts);
  }
}

}  // namespace daptor::detail
