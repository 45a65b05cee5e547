// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/global_index_map.hpp"

#include <string>

#include "daptor/error.hpp"
#include "index_map/global_index_map_builder.hpp"
#include "index_map/index_directory.hpp"
#include "index_map/seats.hpp"

namespace daptor {
namespace {

/// Row-major number of grid coordinates.
Index seat_of(const std::vector<Index>& grid, const std::vector<Index>& coordinates) {
  if (coordinates.size() != grid.size())
    throw InvalidArgument("coordinates", std::to_string(coordinates.size()) + " coordinates",
                          "one for each of the " + std::to_string(grid.size()) + " dimensions");
  Index seat = 0;
  for (std::size_t d = 0; d < grid.size(); ++d) {
    if (coordinates[d] < 0 || coordinates[d] >= grid[d])
      throw InvalidArgument("coordinates",
                            std::to_string(coordinates[d]) + " in dimension " + std::to_string(d),
                            "from 0 up to " + std::to_string(grid[d]));
    seat = seat * grid[d] + coordinates[d];
  }
  return seat;
}

}  // namespace

GlobalIndexMap::GlobalIndexMap(const DistArray& array, std::shared_ptr<const Communicator> comm)
    : comm_(std::move(comm)), local_(std::vector<Dimension>{}) {
  if (comm_ == nullptr) throw InvalidArgument("comm", "a null pointer", "a communicator");
  const CollectiveCall call(*comm_, "GlobalIndexMap");
  detail::GlobalIndexMapBuilder(*this, *comm_).build(array);
}

GlobalIndexMap::GlobalIndexMap(const DistArray& array, MPI_Comm comm)
    : GlobalIndexMap(array, std::make_shared<MpiCommunicator>(comm)) {}

int GlobalIndexMap::rank_at(const std::vector<Index>& coordinates) const {
  if (!row_major_)
    throw InvalidArgument("coordinates", "a grid on which ranks are not in row-major order",
                          "ranks_at, which asks the other ranks");
  return static_cast<int>(seat_of(grid_, coordinates));
}

std::vector<int> GlobalIndexMap::ranks_at(
    const std::vector<std::vector<Index>>& coordinates) const {
  const auto seats = [&] {
    std::vector<Index> numbers;
    numbers.reserve(coordinates.size());
    for (const auto& each : coordinates) numbers.push_back(seat_of(grid_, each));
    return numbers;
  };
  const CollectiveCall call(*comm_, "GlobalIndexMap::ranks_at");
  if (!row_major_) return detail::ranks_of_seats(*comm_, rank_here_, seats);
  return agreed(*comm_, [&] {
    detail::fault_point("core.ranks_at.seats");
    const std::vector<Index> ranks = seats();
    return std::vector<int>(ranks.begin(), ranks.end());
  });
}

std::optional<int> GlobalIndexMap::neighbour(int dimension, int direction) const {
  if (dimension < 0 || dimension >= ndim())
    throw InvalidArgument("dimension", std::to_string(dimension),
                          "from 0 up to " + std::to_string(ndim()));
  if (direction != -1 && direction != 1)
    throw InvalidArgument("direction", std::to_string(direction), "-1 or +1");
  return neighbours_[2 * static_cast<std::size_t>(dimension) + (direction > 0 ? 1 : 0)];
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
detail::IndexDirectory& GlobalIndexMap::directory(int dimension) const {
  const bool known = 0 <= dimension && dimension < ndim() &&
                     directories_[static_cast<std::size_t>(dimension)] != nullptr;
  // Ranks that ask for different dimensions would talk past each other.
  std::int64_t least[] = {known ? 1 : 0, dimension, -static_cast<std::int64_t>(dimension)};
  agree(*comm_, nullptr, least, 3);
  if (least[0] == 0 || least[1] != -least[2])
    throw InvalidArgument(
        "dimension",
        std::to_string(least[1]) + " to " + std::to_string(-least[2]) + " on the ranks",
        "one unstructured dimension, the same on all ranks");
  return *directories_[static_cast<std::size_t>(dimension)];
}

std::vector<std::optional<OwnerAlong>> GlobalIndexMap::owners_of_unstructured(
    int dimension, const std::vector<Index>& globals) const {
  const CollectiveCall call(*comm_, "GlobalIndexMap::owners_of_unstructured");
  return directory(dimension).find(*comm_, globals);
}

bool GlobalIndexMap::one_to_one(int dimension) const {
  const CollectiveCall call(*comm_, "GlobalIndexMap::one_to_one");
  return directory(dimension).one_to_one(*comm_);
}

Index GlobalIndexMap::contiguous_offset() const {
  if (contiguous_offset_) return *contiguous_offset_;
  Finding finding;
  finding.rule = "D09";
  finding.key = "size";
  finding.found = "an array of more than 2^63 - 1 elements";
  finding.expected = "as many elements as 64 bits can number";
  throw Malformed(std::move(finding));
}

}  // namespace daptor
