// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/halo/boundary.hpp"

#include <algorithm>
#include <memory>

#include "exchange/words.hpp"

namespace daptor::detail {
namespace {

/// The part [start, start + count) of a range. Lists of spans come from unstructured
/// dimensions, which have no boundary padding, and are returned unchanged.
Selection part(const Selection& selection, Index start, Index count) {
  if (!selection.is_range()) return selection;
  return {selection.start + start, count, nullptr};
}

/// The positions in a selection of owned local indices whose indices are not boundary padding.
IndexRange inner_part(const Selection& selection, const LocalDimensionMap& map) {
  if (map.dimension().as<Unstructured>() != nullptr) return {0, selection.count};
  const Padding boundary = map.dimension().boundary_padding();
  const Index first = map.owned_offset() + boundary.lower;
  const Index stop = map.owned_offset() + map.owned_count() - boundary.upper;
  const Index from = std::clamp(first - selection.start, Index{0}, selection.count);
  return {from, std::clamp(stop - selection.start, from, selection.count)};
}

std::vector<IndexRange> inner_part(const Region& region, const GlobalIndexMap& map) {
  std::vector<IndexRange> kept;
  for (std::size_t d = 0; d < region.along.size(); ++d)
    kept.push_back(inner_part(region.along[d], map.dimension(static_cast<int>(d)).local()));
  return kept;
}

Region part(const Region& region, const std::vector<IndexRange>& kept) {
  Region smaller{{}, region.order};
  for (std::size_t d = 0; d < kept.size(); ++d)
    smaller.along.push_back(part(region.along[d], kept[d].start, kept[d].size()));
  return smaller;
}

}  // namespace

std::vector<Message> inner_parts(const Sharing& plan, const GlobalIndexMap& map) {
  std::vector<Message> messages;
  for (const SharedRegions& shared : plan.owned) {
    Words words;
    for (const Region& region : shared.regions)
      for (const IndexRange kept : inner_part(region, map)) {
        words.write(kept.start);
        words.write(kept.stop);
      }
    messages.push_back({shared.rank, words.bytes()});
  }
  return messages;
}

Sharing without_boundary(const Sharing& plan, const GlobalIndexMap& map,
                         const std::vector<Message>& replies) {
  Sharing smaller = plan;
  for (SharedRegions& shared : smaller.owned)
    for (Region& region : shared.regions) region = part(region, inner_part(region, map));
  for (std::size_t i = 0; i < smaller.wanted.size(); ++i) {
    WordReader words(replies.at(i).bytes);
    for (Region& region : smaller.wanted[i].regions) {
      std::vector<IndexRange> kept(region.along.size());
      for (IndexRange& range : kept) {
        range.start = words.read();
        range.stop = words.read();
      }
      region = part(region, kept);
    }
  }
  for (OwnRegions& own : smaller.own) {
    const auto kept = inner_part(own.owned, map);
    own.owned = part(own.owned, kept);
    own.wanted = part(own.wanted, kept);
  }
  return smaller;
}
}  // namespace daptor::detail
