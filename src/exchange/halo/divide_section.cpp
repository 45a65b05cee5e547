// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/halo/divide_section.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "daptor/adapter/names.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "exchange/halo/named_owners.hpp"
#include "proof/walk.hpp"

namespace daptor::detail {
namespace {

Selection range(Index start, Index count) {
  return {start, count, nullptr};
}

/// The local indices of a part as a selection.
Selection selection_of(const OwnedPart& part) {
  if (!part.apart()) return range(part.first(), part.count());
  IndexSpans spans;
  part.for_each_run([&](IndexRange run) { spans.add({run.start, run.size()}); });
  return Selection::of(std::move(spans));
}

Piece owned_piece(const LocalDimensionMap& local) {
  return {local.dimension().grid().rank, selection_of(local.owned_part()),
          range(0, local.owned_count()), true};
}

/// Adds a piece for each owner of copies among the local indices [start, stop).
void add_padding(const GlobalDimensionMap& map, Index start, Index stop,
                 std::vector<Piece>& pieces) {
  while (start < stop) {
    const auto owner = map.owner_of(map.local().global_of(start));
    const Index there = map.owned_count(owner->grid_rank) - owner->owned_index;
    const Index count = std::min(stop - start, there);
    pieces.push_back({owner->grid_rank, range(start, count), range(owner->owned_index, count)});
    start += count;
  }
}

std::vector<Piece> block_pieces(const GlobalDimensionMap& map) {
  const LocalDimensionMap& local = map.local();
  const Index first = local.owned_offset();
  const Index stop = first + local.owned_count();
  std::vector<Piece> pieces;
  add_padding(map, 0, first, pieces);
  pieces.push_back(owned_piece(local));
  add_padding(map, stop, local.local_extent(), pieces);
  return pieces;
}

/// The collected pieces. The piece that this process's own grid rank owns is marked as not being a
/// copy.
std::vector<Piece> collected(PieceCollector<Index>& collector, Index grid_rank) {
  auto pieces = collector.pieces();
  for (Piece& piece : pieces) piece.own = piece.owner == grid_rank;
  return pieces;
}

/// The pieces of the section along an unstructured dimension, where `owners` has the owner of each
/// index. A section has each index only once (U04), so the indices that this process owns need no
/// copying.
std::vector<Piece> listed_pieces(const LocalDimensionMap& local,
                                 const std::vector<OwnerAlong>& owners) {
  PieceCollector<Index> collector;
  for (std::size_t i = 0; i < owners.size(); ++i)
    collector.add(collector.number_of(owners[i].grid_rank), static_cast<Index>(i),
                  owners[i].owned_index, 1);
  return collected(collector, local.dimension().grid().rank);
}

const Unstructured* list_along(const GlobalIndexMap& map, int d) {
  return map.dimension(d).local().dimension().as<Unstructured>();
}

/// Collective. The pieces of the section along dimension `d`, whose owners `owned` states.
std::vector<Piece> named_pieces(const GlobalIndexMap& map, int d, const Dimension& owned,
                                Call& call) {
  const LocalDimensionMap& local = map.dimension(d).local();
  const auto globals = call.check([&] {
    const IndexList& indices = local.dimension().as<Unstructured>()->indices;
    return std::vector<Index>(indices.begin(), indices.end());
  });
  const auto owners = named_owners(local, owned, globals, call);
  return call.check([&] { return listed_pieces(local, owners); });
}

/// How an unstructured dimension says which process owns an index that several processes have.
enum class Owners {
  none,    ///< it does not say, so no index may be on two processes
  list,    ///< each list says which of its indices are owned (`Unstructured::owned`)
  options  ///< HaloOptions::owned
};

/// How the dimension says it; the same on all ranks.
Owners owners_along(const GlobalIndexMap& map, int d, const std::optional<Dimension>& owned) {
  if (owned && d == named_dimension(map.local())) return Owners::options;
  return list_along(map, d)->owned ? Owners::list : Owners::none;
}

/// Whether dimension `d` may have copies of indices.
bool has_copies(const GlobalIndexMap& map, int d, const std::optional<Dimension>& owned) {
  return list_along(map, d) != nullptr && owners_along(map, d, owned) != Owners::none;
}

[[noreturn]] void refuse_shared(Terms found) {
  adapter::refuse_argument("halo.shared", std::move(found) + ", without an owner",
                           "an owner for each shared index", names::say_owners);
}

/// Collective. Requires that no other process has any of the indices in this process's list, which
/// does not say which of them are owned.
void require_unshared(const GlobalIndexMap& map, int d, Call& call) {
  if (map.one_to_one(d)) return;
  const IndexList& indices = list_along(map, d)->indices;
  const auto globals =
      call.check([&] { return std::vector<Index>(indices.begin(), indices.end()); });
  const auto owners = map.owners_of_unstructured(d, globals);
  const Index grid_rank = list_along(map, d)->grid.rank;
  call.check([&] {
    for (std::size_t i = 0; i < globals.size(); ++i)
      if (owners[i] && owners[i]->grid_rank != grid_rank)
        refuse_shared("index " + terms::index(globals[i]) + " on grid ranks " +
                      std::to_string(owners[i]->grid_rank) + " and " + std::to_string(grid_rank) +
                      " of " + terms::dimension(d));
  });
}

/// Collective. The pieces of the section along dimension `d` of `array`, whose list says which of
/// its indices are owned. A ghost may be a copy of an index that this process owns.
std::vector<Piece> owned_and_ghosts(const Section& array, const GlobalIndexMap& map, int d,
                                    Call& call) {
  const Unstructured& list = *list_along(map, d);
  if (!map.one_to_one(d)) proof::require_lists(array, call.comm());
  std::vector<Index> positions;
  const auto ghosts = call.check([&] {
    positions = list.owned->ghosts(list.indices.size());
    return list.indices.at(positions);
  });
  const auto owners = map.owners_of_unstructured(d, ghosts);
  std::vector<Piece> pieces;
  Agreed<bool> all_owned;
  call.check([&] {
    all_owned = call.all(std::all_of(owners.begin(), owners.end(),
                                     [](const auto& owner) { return owner.has_value(); }));
    PieceCollector<Index> collector;
    for (std::size_t i = 0; i < ghosts.size(); ++i) {
      if (!owners[i]) return;
      collector.add(collector.number_of(owners[i]->grid_rank), positions[i], owners[i]->owned_index,
                    1);
    }
    pieces = collector.pieces();
    pieces.insert(pieces.begin(), owned_piece(map.dimension(d).local()));
  });
  if (!all_owned) proof::require_lists(array, call.comm());
  return pieces;
}

}  // namespace

void divide_lists(const Section& array, const GlobalIndexMap& map,
                  const std::optional<Dimension>& owned, Call& call, Pieces& pieces) {
  if (!adapter::has_lists(array)) return;  // on all ranks
  call.check();
  proof::require_same_lists(array, call.comm());
  for (int d = 0; d < map.ndim(); ++d) {
    if (list_along(map, d) == nullptr) continue;
    const Owners owners = owners_along(map, d, owned);
    if (owners == Owners::none) {
      if (list_along(map, d)->one_to_one || map.dimension(d).grid_size() == 1) continue;
      require_unshared(map, d, call);
      continue;
    }
    call.check([&] { pieces.resize(static_cast<std::size_t>(map.ndim())); });
    pieces[static_cast<std::size_t>(d)] = owners == Owners::list
                                              ? owned_and_ghosts(array, map, d, call)
                                              : named_pieces(map, d, *owned, call);
  }
}

void divide_blocks(const GlobalIndexMap& map, const std::optional<Dimension>& owned,
                   Pieces& pieces) {
  pieces.resize(static_cast<std::size_t>(map.ndim()));
  for (int d = 0; d < map.ndim(); ++d) {
    const GlobalDimensionMap& along = map.dimension(d);
    auto& parts = pieces[static_cast<std::size_t>(d)];
    if (!has_copies(map, d, owned)) {
      const bool padded = along.local().local_extent() > along.local().owned_count();
      parts = padded ? block_pieces(along) : std::vector<Piece>{owned_piece(along.local())};
    }
    const auto empty = [](const Piece& piece) { return piece.here.count == 0; };
    parts.erase(std::remove_if(parts.begin(), parts.end(), empty), parts.end());
  }
}

}  // namespace daptor::detail
