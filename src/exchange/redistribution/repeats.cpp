// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/repeats.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "daptor/call.hpp"
#include "exchange/words.hpp"

namespace daptor::detail {
namespace {

template <class F>
void for_each_index(const Region& region, F&& visit) {
  const Selection& along = region.along.front();
  const auto each = [&](IndexSpan span) {
    for (Index i = 0; i < span.count; ++i) visit(span.start + i);
  };
  if (along.is_range())
    each({along.start, along.count});
  else
    along.spans->for_each(each);
}

Region region_of(IndexSpans indices, const Region& like) {
  return {{Selection::of(std::move(indices))}, like.order};
}

/// Elements of a region by their positions in the order in which they are visited, increasing.
Region chosen(const Region& region, const Selection& positions) {
  std::vector<IndexSpan> wanted;
  if (positions.is_range())
    wanted.push_back({positions.start, positions.count});
  else
    positions.spans->for_each([&](IndexSpan span) { wanted.push_back(span); });
  IndexSpans indices;
  Index position = 0;
  auto next = wanted.begin();
  for_each_index(region, [&](Index i) {
    while (next != wanted.end() && position >= next->start + next->count) ++next;
    if (next != wanted.end() && position >= next->start) indices.add({i, 1});
    ++position;
  });
  return region_of(std::move(indices), region);
}

/// Notes which elements of the target have been seen.
class Firsts {
 public:
  Firsts(Index first, Index count) : first_(first), seen_(static_cast<std::size_t>(count)) {}

  /// The positions in a region of elements that have not been seen before.
  Selection take(const Region& region) {
    IndexSpans positions;
    Index position = 0;
    for_each_index(region, [&](Index i) {
      unsigned char& seen = seen_[static_cast<std::size_t>(i - first_)];
      if (seen == 0) positions.add({position, 1});
      seen = 1;
      ++position;
    });
    return Selection::of(std::move(positions));
  }

 private:
  Index first_;
  std::vector<unsigned char> seen_;
};

/// Leaves out regions without elements, and processes without regions.
void drop_empty(std::vector<SharedRegions>& shared) {
  for (SharedRegions& with : shared)
    with.regions.erase(std::remove_if(with.regions.begin(), with.regions.end(),
                                      [](const Region& region) { return region.count() == 0; }),
                       with.regions.end());
  shared.erase(std::remove_if(shared.begin(), shared.end(),
                              [](const SharedRegions& with) { return with.regions.empty(); }),
               shared.end());
}

/// Chooses what arrives on this process. The messages tell the other processes which positions of
/// each of their regions are wanted.
std::vector<Message> choose(Sharing& sharing, Index first, Index count) {
  Firsts firsts(first, count);
  for (OwnRegions& own : sharing.own) {
    const Selection positions = firsts.take(own.wanted);
    own = {chosen(own.owned, positions), chosen(own.wanted, positions)};
  }
  std::vector<Message> messages;
  for (SharedRegions& from : sharing.wanted) {
    Words words;
    for (Region& region : from.regions) {
      const Selection positions = firsts.take(region);
      region = chosen(region, positions);
      words.write(positions);
    }
    messages.push_back({from.rank, words.bytes()});
  }
  return messages;
}

}  // namespace

Sharing without_repeats(Sharing sharing, Index first, Index count, Call& call) {
  const auto messages = call.check([&] { return choose(sharing, first, count); });
  const auto received = call.comm()->exchange(messages);
  call.check([&] {
    for (const Message& message : received) {
      const auto to = std::find_if(sharing.owned.begin(), sharing.owned.end(),
                                   [&](const SharedRegions& s) { return s.rank == message.rank; });
      WordReader words(message.bytes);
      for (Region& region : to->regions) region = chosen(region, words.read_selection());
    }
    drop_empty(sharing.owned);
    drop_empty(sharing.wanted);
    sharing.own.erase(std::remove_if(sharing.own.begin(), sharing.own.end(),
                                     [](const OwnRegions& own) { return own.owned.count() == 0; }),
                      sharing.own.end());
  });
  return sharing;
}

}  // namespace daptor::detail
