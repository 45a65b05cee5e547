// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/halo/plan_halo.hpp"

#include <algorithm>
#include <utility>

#include "daptor/call.hpp"
#include "exchange/halo/boundary.hpp"
#include "exchange/halo/divide_section.hpp"

namespace daptor::detail {
namespace {

bool is_copy(const std::vector<const Piece*>& pieces, Stencil stencil) {
  const auto copied = std::count_if(pieces.begin(), pieces.end(), [](auto* p) { return !p->own; });
  return stencil == Stencil::star ? copied == 1 : copied > 0;
}

/// All products of pieces that are copies.
std::vector<Wanted> all_wanted(const Section& array, const Pieces& pieces, Stencil stencil) {
  std::vector<const std::vector<Piece>*> along;
  along.reserve(pieces.size());
  for (const auto& each : pieces) along.push_back(&each);
  auto boxes = products(along, [&](const auto& chosen) { return is_copy(chosen, stencil); });
  const auto order = memory_order(array.local_shape(), array.byte_strides());
  for (Wanted& box : boxes) box.here.order = order;
  return boxes;
}

}  // namespace

HaloPlans plan_halo(const Section& array, const GlobalIndexMap& map, const HaloOptions& options,
                    bool boundary, Call& call) {
  Pieces pieces;
  divide_lists(array, map, options.owned, call, pieces);
  std::vector<OwnedPart> owned;
  auto boxes = call.attempt([&] {
    owned = owned_parts(array);
    divide_blocks(map, options.owned, pieces);
    return all_wanted(array, pieces, options.stencil);
  });
  HaloPlans plans;
  locate(boxes, map, call);
  plans.update = ask_owners(boxes, owned, call);
  const auto replies = call.attempt([&] {
    if (boundary) return inner_parts(plans.update, map);
    plans.accumulate = turned(plans.update);
    return std::vector<Message>();
  });
  if (!boundary) return plans;
  call.check();
  const auto kept = call.comm()->exchange(replies);
  plans.accumulate =
      call.attempt([&] { return turned(without_boundary(plans.update, map, kept)); });
  return plans;
}

}  // namespace daptor::detail
