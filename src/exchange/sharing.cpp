// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/sharing.hpp"

#include <map>
#include <utility>

#include "daptor/call.hpp"
#include "exchange/words.hpp"

namespace daptor::detail {
namespace {

std::vector<std::vector<Index>> owners_of(const std::vector<Wanted>& boxes) {
  std::vector<std::vector<Index>> coordinates;
  coordinates.reserve(boxes.size());
  for (const Wanted& box : boxes) coordinates.push_back(box.owner);
  return coordinates;
}

/// The local indices of some owned indices, which are given by their numbers among these.
Selection local_selection(const Selection& numbers, const OwnedPart& owned) {
  if (!owned.apart()) return numbers.shifted(owned.first());
  IndexSpans spans;
  const auto add = [&](IndexSpan span) {
    for (Index i = 0; i < span.count; ++i) spans.add({owned.position(span.start + i), 1});
  };
  if (numbers.is_range())
    add({numbers.start, numbers.count});
  else
    numbers.spans->for_each(add);
  return Selection::of(std::move(spans));
}

std::vector<Selection> local_selections(std::vector<Selection> numbers,
                                        const std::vector<OwnedPart>& owned) {
  for (std::size_t d = 0; d < numbers.size(); ++d)
    numbers[d] = local_selection(numbers[d], owned[d]);
  return numbers;
}

/// The requests to the owners. They have for each box the order of its dimensions, and its elements
/// by their positions among the owned indices.
std::vector<Message> requests(const std::vector<Wanted>& boxes, const Sharing& sharing,
                              int rank_here) {
  std::map<int, Words> words;
  for (const SharedRegions& shared : sharing.wanted) words[shared.rank];
  for (const Wanted& box : boxes) {
    if (box.rank == rank_here) continue;
    Words& to = words[box.rank];
    for (const int d : box.here.order) to.write(d);
    for (const Selection& selection : box.there) to.write(selection);
  }
  std::vector<Message> messages;
  messages.reserve(words.size());
  for (const auto& [rank, list] : words) messages.push_back({rank, list.bytes()});
  return messages;
}

/// What this process requests, as its side of the sharing.
Sharing asked(const std::vector<Wanted>& boxes, const std::vector<OwnedPart>& owned,
              int rank_here) {
  Sharing sharing;
  std::map<int, std::vector<Region>> wanted;
  for (const Wanted& box : boxes) {
    if (box.rank == rank_here)
      sharing.own.push_back({{local_selections(box.there, owned), box.here.order}, box.here});
    else
      wanted[box.rank].push_back(box.here);
  }
  for (auto& [rank, regions] : wanted) sharing.wanted.push_back({rank, std::move(regions)});
  return sharing;
}

/// The regions that another process has requested.
SharedRegions answered(const Message& request, const std::vector<OwnedPart>& owned) {
  SharedRegions shared{request.rank, {}};
  const std::size_t ndim = owned.size();
  for (WordReader words(request.bytes); !words.at_end();) {
    Region region;
    for (std::size_t d = 0; d < ndim; ++d) region.order.push_back(static_cast<int>(words.read()));
    std::vector<Selection> numbers;
    for (std::size_t d = 0; d < ndim; ++d) numbers.push_back(words.read_selection());
    region.along = local_selections(std::move(numbers), owned);
    shared.regions.push_back(std::move(region));
  }
  return shared;
}

}  // namespace

void locate(std::vector<Wanted>& wanted, const GlobalIndexMap& owners, Call& call) {
  if (owners.row_major()) {
    call.attempt([&] {
      for (Wanted& box : wanted) box.rank = owners.rank_at(box.owner);
    });
    return;
  }
  const auto ranks = owners.ranks_at(call.check([&] { return owners_of(wanted); }));
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i].rank = ranks[i];
}

std::vector<OwnedPart> owned_parts(const Section& array) {
  std::vector<OwnedPart> parts;
  for (const Dimension& dimension : array.dimensions()) parts.push_back(dimension.owned_part());
  return parts;
}

Sharing turned(Sharing sharing) {
  std::swap(sharing.owned, sharing.wanted);
  for (OwnRegions& own : sharing.own) std::swap(own.owned, own.wanted);
  return sharing;
}

Sharing ask_owners(const std::vector<Wanted>& wanted, const std::vector<OwnedPart>& owned,
                   Call& call) {
  Sharing sharing;
  const auto messages = call.check([&] {
    sharing = asked(wanted, owned, call.comm().rank());
    return requests(wanted, sharing, call.comm().rank());
  });
  const auto received = call.comm()->exchange(messages);
  call.attempt([&] {
    for (const Message& request : received) sharing.owned.push_back(answered(request, owned));
  });
  return sharing;
}

}  // namespace daptor::detail
