#include "halo/pieces.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "halo/named_owners.hpp"

namespace daptor::detail {
namespace {

Selection range(Index start, Index count) {
  return {start, count, nullptr};
}

Piece owned_piece(const LocalDimensionMap& local) {
  return {true, local.dimension().grid().rank, range(local.owned_offset(), local.owned_count()),
          range(0, local.owned_count())};
}

/// The copies among local indices [start, stop): a piece for each owner.
void add_padding(const GlobalDimensionMap& map, Index start, Index stop,
                 std::vector<Piece>& pieces) {
  while (start < stop) {
    const auto owner = map.owner_of(map.local().global_of(start));
    const Index there = map.owned_count(owner->grid_rank) - owner->owned_index;
    const Index count = std::min(stop - start, there);
    pieces.push_back(
        {false, owner->grid_rank, range(start, count), range(owner->owned_index, count)});
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

/// Adds to a range of copies of what this process has elsewhere, or begins another: each lies at
/// one distance from its owned indices.
void add_own_copy(Index grid_rank, Index here, Index there, std::vector<Piece>& pieces) {
  if (!pieces.empty()) {
    Piece& last = pieces.back();
    if (last.here.start + last.here.count == here && last.there.start + last.there.count == there) {
      ++last.here.count;
      ++last.there.count;
      return;
    }
  }
  pieces.push_back({false, grid_rank, range(here, 1), range(there, 1)});
}

[[noreturn]] void refuse_lists(int d, Index global) {
  throw Malformed(error_finding(
      "U12", d, "indices", "index " + std::to_string(global) + " elsewhere on another grid line",
      "the same indices on all processes of one grid rank"));
}

/// The section of unstructured dimension `d`; `owners` are those of its indices, one by one.
std::vector<Piece> listed_pieces(int d, const LocalDimensionMap& local,
                                 const std::vector<std::optional<OwnerAlong>>& owners) {
  struct Positions {
    StretchList here, there;
  };
  std::map<Index, Positions> by_owner;
  const Index grid_rank = local.dimension().grid().rank;
  const IndexList& indices = local.dimension().as<Unstructured>()->indices;
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const auto here = static_cast<Index>(i);
    if (!owners[i]) refuse_lists(d, indices[here]);
    const Index there = owners[i]->owned_index;
    if (owners[i]->grid_rank == grid_rank && there != here) {
      if (there >= indices.size() || indices[there] != indices[here])
        refuse_lists(d, indices[here]);
      add_own_copy(grid_rank, here, there, pieces);
      continue;
    }
    Positions& positions = by_owner[owners[i]->grid_rank];
    positions.here.add({here, 1});
    positions.there.add({there, 1});
  }
  for (auto& [owner, positions] : by_owner)
    pieces.push_back({owner == grid_rank, owner, Selection::of(std::move(positions.here)),
                      Selection::of(std::move(positions.there))});
  return pieces;
}

/// Dimension `d` may have copies of indices: a section has each once (U04), unless owners are
/// named.
bool has_copies(const GlobalIndexMap& map, int d, const std::optional<Dimension>& owned) {
  const auto* const list = map.dimension(d).local().dimension().as<Unstructured>();
  if (list == nullptr) return false;
  if (owned && d == named_dimension(map.local())) return true;
  return !list->one_to_one && map.dimension(d).grid_size() > 1;
}

}  // namespace

void divide_lists(const GlobalIndexMap& map, const std::optional<Dimension>& owned,
                  const std::shared_ptr<const Communicator>& comm, Pieces& pieces) {
  for (int d = 0; d < map.ndim(); ++d) {
    if (!has_copies(map, d, owned)) continue;
    const LocalDimensionMap& local = map.dimension(d).local();
    const auto globals = agreed(*comm, [&] {
      fault_point("halo.indices");
      pieces.resize(static_cast<std::size_t>(map.ndim()));
      const IndexList& indices = local.dimension().as<Unstructured>()->indices;
      return std::vector<Index>(indices.begin(), indices.end());
    });
    const bool named = owned && d == named_dimension(map.local());
    const auto owners =
        named ? named_owners(local, *owned, globals, comm) : map.owners_of_unstructured(d, globals);
    pieces[static_cast<std::size_t>(d)] = agreed(*comm, [&] {
      fault_point("halo.lists");
      return listed_pieces(d, local, owners);
    });
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
