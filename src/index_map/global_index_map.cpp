// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/global_index_map.hpp"

#include <string>

#include "daptor/adapter/order.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "index_map/grid_numbers.hpp"
#include "proof/bounds.hpp"
#include "proof/index_directory.hpp"
#include "proof/survey.hpp"

namespace daptor {

Index detail::grid_number_of(const std::vector<Index>& grid,
                             const std::vector<Index>& coordinates) {
  if (coordinates.size() != grid.size())
    throw InvalidArgument("coordinates", std::to_string(coordinates.size()) + " coordinates",
                          "one for each of the " + std::to_string(grid.size()) + " dimensions");
  Index number = 0;
  for (std::size_t d = 0; d < grid.size(); ++d) {
    if (coordinates[d] < 0 || coordinates[d] >= grid[d])
      throw InvalidArgument("coordinates",
                            std::to_string(coordinates[d]) + " in " + terms::dimension(d),
                            "a value in [0, " + std::to_string(grid[d]) + ')');
    number = number * grid[d] + coordinates[d];
  }
  return number;
}

GlobalIndexMap::GlobalIndexMap(const DistArray& array)
    : comm_(array.comm()), local_(std::vector<Dimension>{}) {
  Call call(array, "GlobalIndexMap");
  call.check([&] { prepare(array); });
  take(array, call.proof(0), call);
}

GlobalIndexMap::GlobalIndexMap(const Section& array, std::shared_ptr<const detail::Proven> proven,
                               Call& call)
    : comm_(call.comm()), local_(std::vector<Dimension>{}) {
  call.attempt([&] { prepare(array); });
  take(array, std::move(proven), call);
}

/// Collective where blocks are uneven.
void GlobalIndexMap::take(const Section& array, std::shared_ptr<const detail::Proven> proven,
                          Call& call) {
  proven_ = std::move(proven);
  listed_ = adapter::has_lists(array);
  const auto bounds = detail::bounds_of(array, *proven_, call);
  for (std::size_t d = 0; d < static_cast<std::size_t>(ndim()); ++d) {
    dimensions_[d].origin_ = proven_->along[d].origin;
    if (bounds) dimensions_[d].bounds_ = (*bounds)[d];
  }
}

/// Process-local: everything that follows from this process's description alone.
void GlobalIndexMap::prepare(const Section& array) {
  LocalIndexMap local(array);
  numbering_ = std::make_shared<Numbering>();
  for (int d = 0; d < array.ndim(); ++d) {
    dimensions_.push_back(GlobalDimensionMap(local.dimension(d)));
    grid_.push_back(array.dimension(d).grid().size);
    coordinates_.push_back(array.dimension(d).grid().rank);
  }
  for (int d = 0; d < array.ndim(); ++d) {
    const auto* list = array.dimension(d).as<Unstructured>();
    directories_.push_back(list == nullptr
                               ? nullptr
                               : std::make_shared<detail::IndexDirectory>(
                                     detail::speaks(array, d) ? owned_indices(*list) : IndexList{},
                                     coordinates_[static_cast<std::size_t>(d)]));
  }
  if (adapter::has_lists(array)) description_ = array.with_memory(nullptr);
  // Last, so that a map whose preparation has failed has no dimensions.
  local_ = std::move(local);
}

bool GlobalIndexMap::row_major() const {
  return proven_->row_major;
}

int GlobalIndexMap::rank_at(const std::vector<Index>& coordinates) const {
  if (!row_major())
    throw InvalidArgument("coordinates", "a grid on which ranks are not in row-major order",
                          "a call of ranks_at, which asks the other ranks");
  return static_cast<int>(detail::grid_number_of(grid_, coordinates));
}

std::vector<int> GlobalIndexMap::ranks_at(
    const std::vector<std::vector<Index>>& coordinates) const {
  const auto grid_numbers = [&] {
    std::vector<Index> numbers;
    numbers.reserve(coordinates.size());
    for (const auto& each : coordinates) numbers.push_back(detail::grid_number_of(grid_, each));
    return numbers;
  };
  Call call(comm_, "GlobalIndexMap::ranks_at");
  if (!row_major()) return detail::ranks_at_grid_numbers(call, proven_->rank_here, grid_numbers);
  return call.check([&] {
    const std::vector<Index> ranks = grid_numbers();
    return std::vector<int>(ranks.begin(), ranks.end());
  });
}

std::optional<int> GlobalIndexMap::neighbour(int dimension, int direction) const {
  if (dimension < 0 || dimension >= ndim())
    throw InvalidArgument("dimension", std::to_string(dimension),
                          "a value in [0, " + std::to_string(ndim()) + ')');
  if (direction != -1 && direction != 1)
    throw InvalidArgument("direction", std::to_string(direction), "-1 or +1");
  const auto d = static_cast<std::size_t>(dimension);
  if (!dimensions_[d].neighbour(direction)) return std::nullopt;
  return direction < 0 ? proven_->along[d].below : proven_->along[d].above;
}

std::optional<Owner> GlobalIndexMap::owner_of(const std::vector<Index>& global) const {
  if (global.size() != dimensions_.size())
    throw InvalidArgument("global", std::to_string(global.size()) + " indices",
                          "one for each of the " + std::to_string(ndim()) + " dimensions");
  std::vector<Index> coordinates(global.size());
  Owner owner;
  owner.owned_index.resize(global.size());
  for (std::size_t d = 0; d < global.size(); ++d) {
    const auto along = dimensions_[d].owner_of(global[d]);
    if (!along) return std::nullopt;
    coordinates[d] = along->grid_rank;
    owner.owned_index[d] = along->owned_index;
  }
  owner.rank = rank_at(coordinates);
  return owner;
}

/// Collective.
detail::IndexDirectory& GlobalIndexMap::directory(int dimension, Call& call) const {
  const bool known = 0 <= dimension && dimension < ndim() &&
                     directories_[static_cast<std::size_t>(dimension)] != nullptr;
  // Ranks that asked for different dimensions would exchange messages about different lists.
  const auto all_known = call.all(known);
  const auto least = call.least(dimension);
  const auto greatest = call.greatest(dimension);
  call.check();
  if (!all_known || least != greatest)
    throw InvalidArgument(
        "dimension", std::to_string(least) + " to " + std::to_string(greatest) + " on the ranks",
        "one unstructured dimension, the same on all ranks");
  return *directories_[static_cast<std::size_t>(dimension)];
}

std::vector<std::optional<OwnerAlong>> GlobalIndexMap::owners_of_unstructured(
    int dimension, const std::vector<Index>& globals) const {
  Call call(comm_, "GlobalIndexMap::owners_of_unstructured");
  return directory(dimension, call).find(call, globals);
}

bool GlobalIndexMap::one_to_one(int dimension) const {
  Call call(comm_, "GlobalIndexMap::one_to_one");
  return directory(dimension, call).one_to_one(call);
}

}  // namespace daptor
