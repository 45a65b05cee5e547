// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/halo/plan_halo.hpp"

#include <algorithm>
#include <utility>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "exchange/halo/boundary.hpp"
#include "exchange/halo/pieces.hpp"

namespace daptor::detail {
namespace {

bool is_copy(const std::vector<const Piece*>& pieces, Stencil stencil) {
  const auto copied = std::count_if(pieces.begin(), pieces.end(), [](auto* p) { return !p->own; });
  return stencil == Stencil::star ? copied == 1 : copied > 0;
}

Wanted wanted(const std::vector<const Piece*>& pieces, const GlobalIndexMap& map,
              const std::vector<int>& order) {
  Wanted box;
  box.owner = map.coordinates();
  box.here.order = order;
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

}  // namespace

HaloPlans plan_halo(const DistArray& array, const GlobalIndexMap& map, const HaloOptions& options,
                    bool boundary, const std::shared_ptr<const Communicator>& comm) {
  Pieces pieces;
  divide_lists(map, options.owned, comm, pieces);
  auto boxes = agreed(*comm, [&] {
    fault_point("halo.boxes");
    divide_blocks(map, options.owned, pieces);
    return all_wanted(array, map, pieces, options.stencil);
  });
  HaloPlans plans;
  locate(boxes, map, *comm);
  plans.update = ask_owners(boxes, array.owned_offset(), *comm);
  const auto replies = agreed(*comm, [&] {
    fault_point("halo.inner_parts");
    if (boundary) return inner_parts(plans.update, map);
    plans.accumulate = turned(plans.update);
    return std::vector<Message>();
  });
  if (!boundary) return plans;
  const auto kept = comm->exchange(replies);
  plans.accumulate = agreed(*comm, [&] {
    fault_point("halo.boundary");
    return turned(without_boundary(plans.update, map, kept));
  });
  return plans;
}

}  // namespace daptor::detail
