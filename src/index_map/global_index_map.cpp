// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/global_index_map.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "index_map/index_directory.hpp"
#include "index_map/seats.hpp"
#include "proof/bounds.hpp"
#include "proof/survey.hpp"

namespace daptor {

Index detail::seat_of(const std::vector<Index>& grid, const std::vector<Index>& coordinates) {
  if (coordinates.size() != grid.size())
    throw InvalidArgument("coordinates", std::to_string(coordinates.size()) + " coordinates",
                          "one for each of the " + std::to_string(grid.size()) + " dimensions");
  Index seat = 0;
  for (std::size_t d = 0; d < grid.size(); ++d) {
    if (coordinates[d] < 0 || coordinates[d] >= grid[d])
      throw InvalidArgument("coordinates",
                            std::to_string(coordinates[d]) + " in dimension " + std::to_string(d),
                            "a value in [0, " + std::to_string(grid[d]) + ')');
    seat = seat * grid[d] + coordinates[d];
  }
  return seat;
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
    directories_.push_back(
        list == nullptr ? nullptr
                        : std::make_shared<detail::IndexDirectory>(
                              detail::speaks(array, d) ? detail::owned_indices(*list) : IndexList{},
                              coordinates_[static_cast<std::size_t>(d)]));
  }
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
  return static_cast<int>(detail::seat_of(grid_, coordinates));
}

std::vector<int> GlobalIndexMap::ranks_at(
    const std::vector<std::vector<Index>>& coordinates) const {
  const auto seats = [&] {
    std::vector<Index> numbers;
    numbers.reserve(coordinates.size());
    for (const auto& each : coordinates) numbers.push_back(detail::seat_of(grid_, each));
    return numbers;
  };
  Call call(comm_, "GlobalIndexMap::ranks_at");
  if (!row_major()) return detail::ranks_of_seats(call, proven_->rank_here, seats);
  return call.check([&] {
    const std::vector<Index> ranks = seats();
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

/// Number of elements on all ranks below the one at these coordinates: for each dimension, the
/// elements of those ranks that share the coordinates before it and have a lower coordinate in it.
std::optional<Index> GlobalIndexMap::offset_by_arithmetic(
    const std::vector<Index>& coordinates) const {
  const auto size_along = [](const GlobalDimensionMap& map) {
    return map.local().dimension().global_size();
  };
  std::optional<Index> rest = 1;  // number of elements in the dimensions that follow
  for (const GlobalDimensionMap& map : dimensions_)
    if (size_along(map) == 0) return 0;
  for (const GlobalDimensionMap& map : dimensions_)
    if (rest) rest = checked_multiply(*rest, size_along(map));
  if (!rest) return std::nullopt;
  Index before = 0;
  Index shared = 1;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const GlobalDimensionMap& map = dimensions_[d];
    *rest /= size_along(map);
    before += shared * map.owned_before(coordinates[d]) * *rest;
    shared *= map.owned_count(coordinates[d]);
  }
  return before;
}

bool GlobalIndexMap::knows_contiguous_offsets() const {
  return row_major() && std::all_of(directories_.begin(), directories_.end(),
                                    [](const auto& directory) { return directory == nullptr; });
}

/// Collective.
void GlobalIndexMap::number_contiguously() const {
  Call call(comm_, "GlobalIndexMap::contiguous_offset");
  if (knows_contiguous_offsets()) {
    numbering_->offset = offset_by_arithmetic(coordinates_);
  } else {
    const Index owned = local_.owned_count();
    const auto most = call.greatest(owned);
    call.check();
    bool fits = checked_multiply(most, comm_->size()).has_value();
    if (!fits) {
      // The ranks may still have few enough elements in total.
      Index halves[] = {owned & 0xffffffff, owned >> 32};
      comm_->allreduce(halves, 2, Reduction::sum);
      fits = halves[1] + (halves[0] >> 32) <= std::numeric_limits<std::int32_t>::max();
    }
    if (fits) numbering_->offset = comm_->exclusive_sum(owned);
  }
  numbering_->known = true;
}

namespace {

Index known_offset(const std::optional<Index>& offset) {
  if (offset) return *offset;
  throw Malformed(error_finding("D09", -1, "size", "an array of more than 2^63 - 1 elements",
                                "at most 2^63 - 1 elements"));
}

}  // namespace

Index GlobalIndexMap::contiguous_offset() const {
  if (!numbering_->known) number_contiguously();
  return known_offset(numbering_->offset);
}

Index GlobalIndexMap::contiguous_offset_at(const std::vector<Index>& coordinates) const {
  static_cast<void>(detail::seat_of(grid_, coordinates));  // throws if there is no such process
  if (!knows_contiguous_offsets())
    throw InvalidArgument("coordinates", "another process, whose number of elements is not known",
                          "ranks in row-major order and no unstructured dimension");
  return known_offset(offset_by_arithmetic(coordinates));
}

}  // namespace daptor
