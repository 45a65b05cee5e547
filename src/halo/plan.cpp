#include "halo/plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "halo/boundary.hpp"
#include "halo/pieces.hpp"
#include "halo/words.hpp"
#include "routed.hpp"

namespace daptor::detail {
namespace {

/// A box of copies, one piece along each dimension.
struct Wanted {
  std::vector<Index> owner;  // coordinates on the grid
  Region here;
  std::vector<Selection> there;
};

bool is_copy(const std::vector<const Piece*>& pieces, Stencil stencil) {
  const auto copied = std::count_if(pieces.begin(), pieces.end(), [](auto* p) { return !p->own; });
  return stencil == Stencil::star ? copied == 1 : copied > 0;
}

Wanted wanted(const std::vector<const Piece*>& pieces, const GlobalIndexMap& map,
              const std::vector<int>& order) {
  Wanted box{map.coordinates(), {{}, order}, {}};
  for (std::size_t d = 0; d < pieces.size(); ++d) {
    // An undistributed dimension is a grid of one process.
    box.owner[d] = pieces[d]->grid_rank;
    box.here.along.push_back(pieces[d]->here);
    box.there.push_back(pieces[d]->there);
  }
  return box;
}

/// All products of pieces that are copies.
std::vector<Wanted> all_wanted(const DistArray& array, const GlobalIndexMap& map,
                               const Pieces& pieces, Stencil stencil) {
  std::vector<Wanted> boxes;
  const auto order = memory_order(array.local_shape(), array.byte_strides());
  std::vector<const Piece*> chosen(pieces.size());
  const auto descend = [&](const auto& self, std::size_t d) -> void {
    if (d == pieces.size()) {
      if (is_copy(chosen, stencil)) boxes.push_back(wanted(chosen, map, order));
      return;
    }
    for (const Piece& piece : pieces[d]) {
      chosen[d] = &piece;
      self(self, d + 1);
    }
  };
  descend(descend, 0);
  return boxes;
}

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
    owned[d].start += map.dimension(static_cast<int>(d)).local().owned_offset();
  return owned;
}

OwnCopy own_copy(const Wanted& box, const GlobalIndexMap& map) {
  OwnCopy copy{{local_selections(box.there, map), box.here.order}, {}};
  for (std::size_t d = 0; d < box.there.size(); ++d)
    copy.shift.push_back(box.here.along[d].at(0) - copy.owned.along[d].at(0));
  return copy;
}

/// What the owners are told: for each box the order of its dimensions and its elements by their
/// positions among the owned ones.
std::vector<Message> requests(const std::vector<Wanted>& boxes, const std::vector<int>& ranks,
                              const HaloPlan& plan, int rank_here) {
  std::map<int, Words> words;
  for (const SharedRegions& shared : plan.copies) words[shared.rank];
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

/// This process's side of what it has asked for.
HaloPlan asked(const std::vector<Wanted>& boxes, const std::vector<int>& ranks,
               const GlobalIndexMap& map, int rank_here) {
  HaloPlan plan;
  std::map<int, std::vector<Region>> copies;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (ranks[i] == rank_here)
      plan.own.push_back(own_copy(boxes[i], map));
    else
      copies[ranks[i]].push_back(boxes[i].here);
  }
  for (auto& [rank, regions] : copies) plan.copies.push_back({rank, std::move(regions)});
  return plan;
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

HaloPlans plan_halo(const DistArray& array, const GlobalIndexMap& map, const HaloOptions& options,
                    bool boundary, const std::shared_ptr<const Communicator>& comm) {
  Pieces pieces;
  divide_lists(map, options.owned, comm, pieces);
  const auto boxes = agreed(*comm, [&] {
    fault_point("halo.boxes");
    divide_blocks(map, options.owned, pieces);
    return all_wanted(array, map, pieces, options.stencil);
  });
  const auto ranks = ranks_of(boxes, map, *comm);
  HaloPlans plans;
  const auto messages = agreed(*comm, [&] {
    fault_point("halo.requests");
    plans.update = asked(boxes, ranks, map, comm->rank());
    return requests(boxes, ranks, plans.update, comm->rank());
  });
  const auto received = comm->exchange(messages);
  const auto replies = agreed(*comm, [&] {
    fault_point("halo.answers");
    for (const Message& request : received) plans.update.owned.push_back(answered(request, map));
    if (boundary) return inner_parts(plans.update, map);
    plans.accumulate = plans.update;
    return std::vector<Message>();
  });
  if (!boundary) return plans;
  const auto kept = comm->exchange(replies);
  plans.accumulate = agreed(*comm, [&] {
    fault_point("halo.boundary");
    return without_boundary(plans.update, map, kept);
  });
  return plans;
}

}  // namespace daptor::detail
