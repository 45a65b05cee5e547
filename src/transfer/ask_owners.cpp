#include "transfer/ask_owners.hpp"

#include <map>
#include <utility>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "transfer/words.hpp"

namespace daptor::detail {
namespace {

std::vector<std::vector<Index>> owners_of(const std::vector<Wanted>& boxes) {
  std::vector<std::vector<Index>> coordinates;
  for (const Wanted& box : boxes) coordinates.push_back(box.owner);
  return coordinates;
}

/// Collective where ranks are not in row-major order.
std::vector<int> ranks_of(const std::vector<Wanted>& boxes, const GlobalIndexMap& map,
                          const Communicator& comm) {
  if (!map.row_major()) return map.ranks_at(agreed(comm, [&] { return owners_of(boxes); }));
  return agreed(comm, [&] {
    std::vector<int> ranks;
    for (const Wanted& box : boxes) ranks.push_back(map.rank_at(box.owner));
    return ranks;
  });
}

/// Positions among owned indices as local indices.
std::vector<Selection> local_selections(std::vector<Selection> owned, const GlobalIndexMap& map) {
  for (std::size_t d = 0; d < owned.size(); ++d)
    owned[d] = owned[d].shifted(map.dimension(static_cast<int>(d)).local().owned_offset());
  return owned;
}

/// What the owners are told: for each box the order of its dimensions and its elements by their
/// positions among the owned ones.
std::vector<Message> requests(const std::vector<Wanted>& boxes, const std::vector<int>& ranks,
                              const Sharing& sharing, int rank_here) {
  std::map<int, Words> words;
  for (const SharedRegions& shared : sharing.wanted) words[shared.rank];
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (ranks[i] == rank_here) continue;
    Words& to = words[ranks[i]];
    for (const int d : boxes[i].here.order) to.write(d);
    for (const Selection& selection : boxes[i].there) to.write(selection);
  }
  std::vector<Message> messages;
  for (const auto& [rank, list] : words) messages.push_back({rank, list.bytes()});
  return messages;
}

/// This process's side of what it asks for.
Sharing asked(const std::vector<Wanted>& boxes, const std::vector<int>& ranks,
              const GlobalIndexMap& map, int rank_here) {
  Sharing sharing;
  std::map<int, std::vector<Region>> wanted;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Wanted& box = boxes[i];
    if (ranks[i] == rank_here)
      sharing.own.push_back({{local_selections(box.there, map), box.here.order}, box.here});
    else
      wanted[ranks[i]].push_back(box.here);
  }
  for (auto& [rank, regions] : wanted) sharing.wanted.push_back({rank, std::move(regions)});
  return sharing;
}

/// The regions that another process has asked for.
SharedRegions answered(const Message& request, const GlobalIndexMap& map) {
  SharedRegions shared{request.rank, {}};
  const auto ndim = static_cast<std::size_t>(map.ndim());
  for (WordReader words(request.bytes); !words.at_end();) {
    Region region;
    for (std::size_t d = 0; d < ndim; ++d) region.order.push_back(static_cast<int>(words.read()));
    std::vector<Selection> owned;
    for (std::size_t d = 0; d < ndim; ++d) owned.push_back(words.read_selection());
    region.along = local_selections(std::move(owned), map);
    shared.regions.push_back(std::move(region));
  }
  return shared;
}

}  // namespace

Sharing ask_owners(const std::vector<Wanted>& wanted, const GlobalIndexMap& owners,
                   const Communicator& comm) {
  const auto ranks = ranks_of(wanted, owners, comm);
  Sharing sharing;
  const auto messages = agreed(comm, [&] {
    fault_point("core.ask_owners.requests");
    sharing = asked(wanted, ranks, owners, comm.rank());
    return requests(wanted, ranks, sharing, comm.rank());
  });
  const auto received = comm.exchange(messages);
  agreed(comm, [&] {
    fault_point("core.ask_owners.answers");
    for (const Message& request : received) sharing.owned.push_back(answered(request, owners));
  });
  return sharing;
}

}  // namespace daptor::detail
