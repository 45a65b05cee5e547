// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/halo/divide_section.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "exchange/halo/named_owners.hpp"
#include "report/refuse.hpp"

namespace daptor::detail {
namespace {

Selection range(Index start, Index count) {
  return {start, count, nullptr};
}

Piece owned_piece(const LocalDimensionMap& local) {
  return {local.dimension().grid().rank, range(local.owned_offset(), local.owned_count()),
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

[[noreturn]] void refuse_lists(int d, Index global) {
  throw Malformed(error_finding(
      "U12", d, "indices",
      "index " + std::to_string(global) + " at a different position on another line of the grid",
      "the same list on all processes with the same grid rank"));
}

/// The collected pieces; the piece that this process's own grid rank owns is marked as no copy.
std::vector<Piece> collected(PieceCollector<Index>& collector, Index grid_rank) {
  auto pieces = collector.pieces();
  for (Piece& piece : pieces) piece.own = piece.owner == grid_rank;
  return pieces;
}

/// The pieces of the section along unstructured dimension `d`, where `owners` has the owner of each
/// index. A section has each index only once (U04), so what this process owns needs no copying.
std::vector<Piece> listed_pieces(int d, const LocalDimensionMap& local,
                                 const std::vector<std::optional<OwnerAlong>>& owners) {
  PieceCollector<Index> collector;
  const Index grid_rank = local.dimension().grid().rank;
  const IndexList& indices = local.dimension().as<Unstructured>()->indices;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const auto here = static_cast<Index>(i);
    if (!owners[i] || (owners[i]->grid_rank == grid_rank && owners[i]->owned_index != here))
      refuse_lists(d, indices[here]);
    collector.add(collector.number_of(owners[i]->grid_rank), here, owners[i]->owned_index, 1);
  }
  return collected(collector, grid_rank);
}

const Unstructured* list_along(const GlobalIndexMap& map, int d) {
  return map.dimension(d).local().dimension().as<Unstructured>();
}

/// Collective. The pieces of the section along dimension `d`, whose owners `owned` names.
std::vector<Piece> named_pieces(const GlobalIndexMap& map, int d, const Dimension& owned,
                                const Comm& comm) {
  const LocalDimensionMap& local = map.dimension(d).local();
  const auto globals = agreed(comm, [&] {
    const IndexList& indices = local.dimension().as<Unstructured>()->indices;
    return std::vector<Index>(indices.begin(), indices.end());
  });
  const auto owners = named_owners(local, owned, globals, comm);
  return agreed(comm, [&] {
    fault_point("halo.lists");
    return listed_pieces(d, local, owners);
  });
}

/// How an unstructured dimension says which process owns an index that several processes have.
enum class Owners {
  none,    ///< it does not say: then no index may be on two processes
  first,   ///< the first indices of each list are owned (`Unstructured::owned`)
  options  ///< HaloOptions::owned
};

/// The result is the same on all ranks.
Owners owners_along(const GlobalIndexMap& map, int d, const std::optional<Dimension>& owned) {
  if (owned && d == named_dimension(map.local())) return Owners::options;
  return list_along(map, d)->owned ? Owners::first : Owners::none;
}

/// Whether several processes share a grid rank along dimension `d`.
bool lies_on_several_lines(const GlobalIndexMap& map, int d) {
  for (int other = 0; other < map.ndim(); ++other)
    if (other != d && map.dimension(other).grid_size() > 1) return true;
  return false;
}

/// Whether dimension `d` may have copies of indices.
bool has_copies(const GlobalIndexMap& map, int d, const std::optional<Dimension>& owned) {
  return list_along(map, d) != nullptr && owners_along(map, d, owned) != Owners::none;
}

/// Collective. Requires that no other process has (or owns) any of the first `count` indices in
/// this process's list. Otherwise all ranks throw what `refuse` throws for the first shared index.
template <class Refuse>
void require_unshared(const GlobalIndexMap& map, int d, Index count, const Comm& comm,
                      const Refuse& refuse) {
  if (map.one_to_one(d)) return;
  const IndexList& indices = list_along(map, d)->indices;
  const auto globals =
      agreed(comm, [&] { return std::vector<Index>(indices.begin(), indices.begin() + count); });
  const auto owners = map.owners_of_unstructured(d, globals);
  const Index grid_rank = list_along(map, d)->grid.rank;
  agreed(comm, [&] {
    for (std::size_t i = 0; i < globals.size(); ++i)
      if (owners[i] && owners[i]->grid_rank != grid_rank)
        refuse("index " + std::to_string(globals[i]) + " on grid ranks " +
               std::to_string(owners[i]->grid_rank) + " and " + std::to_string(grid_rank) +
               " of dimension " + std::to_string(d));
  });
  // The lists differ between grid lines (U12): the index is shared on a line that this process
  // cannot see.
  refuse("an index on several processes of dimension " + std::to_string(d));
}

[[noreturn]] void refuse_shared(std::string found) {
  refuse_argument("halo.shared", std::move(found) + ", without an owner",
                  "an owner for each shared index",
                  "Describe the dimension with owned_then_ghosts (key 'owned' of the dictionary), "
                  "or name the owners in HaloOptions::owned.");
}

[[noreturn]] void refuse_owned_twice(std::string found) {
  throw Malformed(error_finding("owned.twice", -1, "owned",
                                std::move(found) + ", which both own it",
                                "one owner for each index, which other processes list as a ghost"));
}

/// Collective. The pieces of the section along dimension `d`, whose list begins with the owned
/// indices.
std::vector<Piece> owned_then_ghosts(const GlobalIndexMap& map, int d, const Comm& comm) {
  const Unstructured& list = *list_along(map, d);
  const Index owned = *list.owned;
  require_unshared(map, d, owned, comm, refuse_owned_twice);
  // Other grid lines may have their indices in a different order (U12), which the owned indices
  // reveal.
  const Index first = lies_on_several_lines(map, d) ? 0 : owned;
  const auto asked = agreed(comm, [&] {
    fault_point("halo.ghosts");
    return std::vector<Index>(list.indices.begin() + first, list.indices.end());
  });
  const auto owners = map.owners_of_unstructured(d, asked);
  return agreed(comm, [&] {
    fault_point("halo.lists");
    PieceCollector<Index> collector;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const Index here = first + static_cast<Index>(i);
      if (here < owned) {
        if (owners[i] != OwnerAlong{list.grid.rank, here}) refuse_lists(d, asked[i]);
        continue;
      }
      if (!owners[i])
        throw Malformed(
            error_finding("owned.nobody", d, "indices",
                          "ghost " + std::to_string(asked[i]) + ", which no process owns",
                          "an owner for each ghost"));
      collector.add(collector.number_of(owners[i]->grid_rank), here, owners[i]->owned_index, 1);
    }
    auto pieces = collected(collector, list.grid.rank);
    pieces.insert(pieces.begin(), owned_piece(map.dimension(d).local()));
    return pieces;
  });
}

}  // namespace

void divide_lists(const GlobalIndexMap& map, const std::optional<Dimension>& owned,
                  const Comm& comm, Pieces& pieces) {
  for (int d = 0; d < map.ndim(); ++d) {
    if (list_along(map, d) == nullptr) continue;
    const Owners owners = owners_along(map, d, owned);
    if (owners == Owners::none) {
      if (list_along(map, d)->one_to_one || map.dimension(d).grid_size() == 1) continue;
      require_unshared(map, d, list_along(map, d)->indices.size(), comm, refuse_shared);
      continue;
    }
    agreed(comm, [&] {
      fault_point("halo.indices");
      pieces.resize(static_cast<std::size_t>(map.ndim()));
    });
    pieces[static_cast<std::size_t>(d)] = owners == Owners::first
                                              ? owned_then_ghosts(map, d, comm)
                                              : named_pieces(map, d, *owned, comm);
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
