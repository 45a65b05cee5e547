// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "daptor/error.hpp"
#include "daptor/global_index_map.hpp"

namespace daptor {
namespace {

[[noreturn]] void throw_no_table(const char* query, char dist_type) {
  throw InvalidArgument("dimension",
                        std::string(query) + " on a dimension of distribution '" + dist_type + "'",
                        "a distribution whose owners can be computed: 'n', 'b' or 'c'");
}

/// Grid rank of the even block that holds `global`.
Index even_owner(Index global, Index global_size, Index grid_size) {
  const Index quotient = global_size / grid_size;
  const Index remainder = global_size % grid_size;
  const Index in_longer_blocks = remainder * (quotient + 1);
  if (global < in_longer_blocks) return global / (quotient + 1);
  return remainder + (global - in_longer_blocks) / quotient;
}

/// Number of indices that the first `count` positions of a cyclic dimension own together.
Index cyclic_owned_before(Index global_size, const Cyclic& cyclic, Index count) {
  const Index full_blocks = global_size / cyclic.block_size;
  const Index rounds = full_blocks / cyclic.grid.size;
  const Index in_last_round = full_blocks % cyclic.grid.size;
  const Index last_block = count > in_last_round ? global_size % cyclic.block_size : 0;
  return (rounds * count + std::min(count, in_last_round)) * cyclic.block_size + last_block;
}

}  // namespace

void GlobalDimensionMap::require_grid_rank(Index grid_rank) const {
  if (grid_rank < 0 || grid_rank >= grid_size())
    throw InvalidArgument("grid_rank", std::to_string(grid_rank),
                          "a value in [0, " + std::to_string(grid_size()) + ')');
}

std::optional<OwnerAlong> GlobalDimensionMap::owner_of(Index global) const {
  const Dimension& dimension = local_.dimension();
  if (dimension.as<Unstructured>() != nullptr) throw_no_table("owner_of", dimension.dist_type());
  if (global < 0 || global >= dimension.global_size()) return std::nullopt;
  if (const auto* cyclic = dimension.as<Cyclic>()) {
    const Index block = global / cyclic->block_size;
    const Index position = block % cyclic->grid.size;
    return OwnerAlong{(position + origin_) % cyclic->grid.size,
                      block / cyclic->grid.size * cyclic->block_size + global % cyclic->block_size};
  }
  Index owner = 0;
  if (bounds_ != nullptr) {
    owner = std::upper_bound(bounds_->begin(), bounds_->end(), global) - bounds_->begin() - 1;
  } else {
    owner = even_owner(global, dimension.global_size(), grid_size());
  }
  return OwnerAlong{owner, global - owned_range(owner).start};
}

IndexRange GlobalDimensionMap::owned_range(Index grid_rank) const {
  require_grid_rank(grid_rank);
  const Dimension& dimension = local_.dimension();
  if (dimension.as<Cyclic>() != nullptr || dimension.as<Unstructured>() != nullptr)
    throw_no_table("owned_range", dimension.dist_type());
  if (bounds_ == nullptr) return even_block(dimension.global_size(), {grid_size(), grid_rank});
  const auto i = static_cast<std::size_t>(grid_rank);
  return {(*bounds_)[i], (*bounds_)[i + 1]};
}

Index GlobalDimensionMap::owned_count(Index grid_rank) const {
  require_grid_rank(grid_rank);
  const Dimension& dimension = local_.dimension();
  if (const auto* cyclic = dimension.as<Cyclic>()) {
    const Index position = (grid_rank - origin_ + grid_size()) % grid_size();
    return cyclic_owned_count(dimension.global_size(), cyclic->block_size, grid_size(), position);
  }
  if (dimension.as<Unstructured>() != nullptr) throw_no_table("owned_count", dimension.dist_type());
  return owned_range(grid_rank).size();
}

Index GlobalDimensionMap::owned_before(Index grid_rank) const {
  require_grid_rank(grid_rank);
  const Dimension& dimension = local_.dimension();
  if (const auto* cyclic = dimension.as<Cyclic>()) {
    const auto first = [&](Index positions) {
      return cyclic_owned_before(dimension.global_size(), *cyclic, positions);
    };
    if (grid_rank > origin_)
      return dimension.global_size() - first(grid_size() - origin_) + first(grid_rank - origin_);
    return first(grid_size() - origin_ + grid_rank) - first(grid_size() - origin_);
  }
  if (dimension.as<Unstructured>() != nullptr)
    throw_no_table("owned_before", dimension.dist_type());
  return owned_range(grid_rank).start;
}

std::optional<Index> GlobalDimensionMap::neighbour(int direction) const {
  if (direction != -1 && direction != 1)
    throw InvalidArgument("direction", std::to_string(direction), "-1 or +1");
  const GridPosition grid = local_.dimension().grid();
  const Index next = grid.rank + direction;
  if (0 <= next && next < grid.size) return next;
  if (!local_.dimension().periodic()) return std::nullopt;
  return direction < 0 ? grid.size - 1 : 0;
}

}  // namespace daptor
