// SPDX-License-Identifier: BSD-3-Clause
#include "index_map/global_index_map_builder.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "communication/hash.hpp"
#include "daptor/agreement.hpp"
#include "daptor/builders.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "index_map/index_directory.hpp"
#include "index_map/line_gather.hpp"
#include "index_map/seats.hpp"
#include "proof/uniform.hpp"

namespace daptor::detail {
namespace {

constexpr Index none = std::numeric_limits<Index>::max();

Finding make_finding(const char* rule, std::size_t d, const char* key, std::string found,
                     std::string expected) {
  Finding finding;
  finding.rule = rule;
  finding.dimension = static_cast<int>(d);
  finding.key = key;
  finding.found = std::move(found);
  finding.expected = std::move(expected);
  return finding;
}

std::string text(IndexRange range) {
  return "[" + std::to_string(range.start) + ", " + std::to_string(range.stop) + ")";
}

}  // namespace

void GlobalIndexMapBuilder::build(const DistArray& array) {
  std::exception_ptr failure;
  try {
    fault_point("core.global_index_map.prepare");
    prepare(array);
  } catch (...) {
    failure = std::current_exception();
  }
  const bool regular = require_uniform(array, comm_, failure);
  map_.rank_here_ = comm_.rank();
  if (!regular) settle();
  if (map_.row_major_) place_neighbours();
  number_contiguously();
}

/// Everything that this process's description alone tells.
void GlobalIndexMapBuilder::prepare(const DistArray& array) {
  map_.local_ = LocalIndexMap(array);
  for (int d = 0; d < array.ndim(); ++d) {
    map_.dimensions_.push_back(GlobalDimensionMap(map_.local_.dimension(d)));
    map_.grid_.push_back(array.dimension(d).grid().size);
    map_.coordinates_.push_back(array.dimension(d).grid().rank);
  }
  const auto elsewhere = [](Index coordinate) { return coordinate != 0; };
  const auto away = std::count_if(map_.coordinates_.begin(), map_.coordinates_.end(), elsewhere);
  for (std::size_t d = 0; d < ndim(); ++d) {
    const auto* list = dimension(d).as<Unstructured>();
    const bool speaks = away == (elsewhere(map_.coordinates_[d]) ? 1 : 0);
    map_.directories_.push_back(
        list == nullptr ? nullptr
                        : std::make_shared<IndexDirectory>(
                              speaks ? owned_indices(*list) : IndexList{}, list->grid.rank));
  }
  map_.neighbours_.resize(2 * ndim());
  parts_.resize(ndim());
  words_.resize(2 + 3 * ndim());
}

/// Finds out what arithmetic alone does not tell, and proves it.
void GlobalIndexMapBuilder::settle() {
  survey();
  if (!map_.row_major_) {
    seat_ranks();
    find_ranks();
  }
  for (std::size_t d = 0; d < ndim(); ++d) {
    if (!parts_[d].even) gather_bounds(d);
  }
  check();
  for (std::size_t d = 0; d < ndim(); ++d) {
    map_.dimensions_[d].origin_ = parts_[d].origin;
    if (!parts_[d].even) map_.dimensions_[d].bounds_ = parts_[d].bounds;
  }
}

/// Row-major or not, even or not, and the origins: the same answer on all ranks.
void GlobalIndexMapBuilder::survey() {
  std::exception_ptr failure;
  try {
    fault_point("core.global_index_map.survey");
    seat_message_.push_back({static_cast<int>(seat_along(0, 0)), {}});
    for (std::size_t d = 0; d < ndim(); ++d) {
      if (const auto* block = dimension(d).as<Block>())
        parts_[d].bounds =
            std::make_shared<std::vector<Index>>(static_cast<std::size_t>(block->grid.size) + 1);
    }
  } catch (...) {
    failure = std::current_exception();
  }
  words_[0] = failure ? 0 : 1;
  words_[1] = seat_along(0, 0) == comm_.rank() ? 1 : 0;
  for (std::size_t d = 0; d < ndim(); ++d) {
    const bool block = dimension(d).as<Block>() != nullptr;
    const Index origin = own_origin(d);
    words_[2 + 3 * d] = !block || regular_part(dimension(d)) ? 1 : 0;
    words_[3 + 3 * d] = origin;
    words_[4 + 3 * d] = origin == none ? none : -origin;
  }
  comm_.allreduce(words_.data(), static_cast<int>(words_.size()), Reduction::min);
  if (words_[0] == 0) agree(comm_, failure);
  map_.row_major_ = words_[1] == 1;
  for (std::size_t d = 0; d < ndim(); ++d) {
    parts_[d].even = words_[2 + 3 * d] == 1;
    if (parts_[d].even) parts_[d].bounds.reset();
    if (words_[3 + 3 * d] != none) agree_on_origin(d, words_[3 + 3 * d], -words_[4 + 3 * d]);
  }
}

/// Which process owns the first block, as far as this one can tell: only a process that owns
/// something can.
Index GlobalIndexMapBuilder::own_origin(std::size_t d) const {
  const auto* cyclic = dimension(d).as<Cyclic>();
  if (cyclic == nullptr || cyclic->start >= dimension(d).global_size()) return none;
  const Index position = cyclic->start / cyclic->block_size;
  return (cyclic->grid.rank - position + cyclic->grid.size) % cyclic->grid.size;
}

void GlobalIndexMapBuilder::agree_on_origin(std::size_t d, Index least, Index greatest) {
  parts_[d].origin = least;
  if (least == greatest) return;
  const Index mine = own_origin(d);
  std::int64_t reference_rank = mine == none ? none : comm_.rank();
  comm_.allreduce(&reference_rank, 1, Reduction::min);
  const auto* cyclic = dimension(d).as<Cyclic>();
  Index reference[] = {mine, cyclic->start};
  comm_.broadcast(reference, sizeof(reference), static_cast<int>(reference_rank));
  const bool differs = mine != none && mine != reference[0];
  std::int64_t rank = differs ? comm_.rank() : none;
  comm_.allreduce(&rank, 1, Reduction::min);
  std::int64_t count = differs ? 1 : 0;
  comm_.allreduce(&count, 1, Reduction::sum);
  Index found[] = {cyclic->start, cyclic->grid.rank};
  comm_.broadcast(found, sizeof(found), static_cast<int>(rank));
  Finding finding = make_finding(
      "C11", d, "start",
      "start " + std::to_string(found[0]) + " on grid rank " + std::to_string(found[1]) +
          ", which is not dealt from where start " + std::to_string(reference[1]) + " on rank " +
          std::to_string(reference_rank) + " is",
      "starts that are a rotation of the grid ranks");
  finding.ranks = {static_cast<int>(rank)};
  finding.rank_count = count;
  throw Malformed(std::move(finding));
}

/// Row-major number of the coordinates `distance` further along a dimension, around its end. The
/// grid has as many processes as the communicator, so nothing overflows.
Index GlobalIndexMapBuilder::seat_along(std::size_t d, Index distance) const {
  Index number = 0;
  for (std::size_t e = 0; e < ndim(); ++e) {
    Index coordinate = map_.coordinates_[e];
    if (e == d)
      coordinate = (coordinate + distance % map_.grid_[e] + map_.grid_[e]) % map_.grid_[e];
    number = number * map_.grid_[e] + coordinate;
  }
  return number;
}

/// More than one rank at the coordinates whose number is this rank.
Finding GlobalIndexMapBuilder::shared_seat(const std::vector<Message>& received) const {
  constexpr std::size_t named = 8;
  Finding finding;
  finding.rule = "D19";
  finding.key = "proc_grid_rank";
  finding.found = std::to_string(received.size()) + " ranks at grid coordinates (";
  for (const Index coordinate : grid_coordinates(map_.grid_, comm_.rank()))
    finding.found += std::to_string(coordinate) + ", ";
  finding.found += "):";
  for (std::size_t i = 0; i < std::min(received.size(), named); ++i) {
    finding.ranks.push_back(received[i].rank);
    finding.found += " " + std::to_string(received[i].rank);
  }
  finding.rank_count = static_cast<std::int64_t>(received.size());
  finding.expected = "one rank at each coordinate of the grid";
  return finding;
}

/// Each rank tells the rank that its coordinates' number names, which so learns who sits there. As
/// many coordinates as ranks: where none is taken twice, none is free.
void GlobalIndexMapBuilder::seat_ranks() {
  const auto received = comm_.exchange(seat_message_);
  agreed(comm_, [&] {
    fault_point("core.global_index_map.seated");
    if (received.size() <= 1) return;
    throw Malformed(shared_seat(received));
  });
  map_.rank_here_ = received.front().rank;
}

/// The ranks of neighbours and of partners along irregular blocks, where arithmetic does not give
/// them.
void GlobalIndexMapBuilder::find_ranks() {
  const auto ranks = ranks_of_seats(comm_, map_.rank_here_, [&] { return seats_to_find(); });
  auto next = ranks.begin();
  for (std::size_t d = 0; d < ndim(); ++d) {
    for (const int side : {0, 1}) {
      if (map_.dimensions_[d].neighbour(side == 0 ? -1 : 1))
        map_.neighbours_[2 * d + static_cast<std::size_t>(side)] = *next++;
    }
    for (int& partner : parts_[d].partners) partner = *next++;
  }
}

std::vector<Index> GlobalIndexMapBuilder::seats_to_find() {
  std::vector<Index> seats;
  for (std::size_t d = 0; d < ndim(); ++d) {
    for (const int direction : {-1, 1}) {
      if (map_.dimensions_[d].neighbour(direction)) seats.push_back(seat_along(d, direction));
    }
    if (parts_[d].even) continue;
    const std::size_t before = seats.size();
    for (Index distance = 1; distance < map_.grid_[d]; distance *= 2) {
      seats.push_back(seat_along(d, -distance));
      seats.push_back(seat_along(d, distance));
    }
    parts_[d].partners.resize(seats.size() - before);
  }
  return seats;
}

void GlobalIndexMapBuilder::place_neighbours() {
  for (std::size_t d = 0; d < ndim(); ++d) {
    for (const int side : {0, 1}) {
      const int direction = side == 0 ? -1 : 1;
      if (map_.dimensions_[d].neighbour(direction))
        map_.neighbours_[2 * d + static_cast<std::size_t>(side)] =
            static_cast<int>(seat_along(d, direction));
    }
  }
}

/// The start of every process's block along dimension `d`, and the size at the end.
void GlobalIndexMapBuilder::gather_bounds(std::size_t d) {
  const auto* block = dimension(d).as<Block>();
  std::vector<Index>& bounds = *parts_[d].bounds;
  bounds.front() = block->owned.start;
  std::size_t step = 0;
  const auto partner = [&](Index distance) {
    if (map_.row_major_) return static_cast<int>(seat_along(d, distance));
    return parts_[d].partners[step++];
  };
  gather_line(comm_, block->grid, partner, bounds);
  bounds.back() = dimension(d).global_size();
}

/// Each process proves its own part, and all prove that their tables are the same.
void GlobalIndexMapBuilder::check() {
  std::exception_ptr failure;
  try {
    fault_point("core.global_index_map.check");
    for (std::size_t d = 0; d < ndim(); ++d) {
      if (!parts_[d].even) check_block(d);
      if (dimension(d).as<Cyclic>() != nullptr) check_cyclic(d);
    }
  } catch (...) {
    failure = std::current_exception();
  }
  words_[0] = failure ? 0 : 1;
  words_.resize(1 + 2 * ndim());
  for (std::size_t d = 0; d < ndim(); ++d) {
    std::uint64_t hash = 0;
    if (!parts_[d].even) {
      for (const Index bound : *parts_[d].bounds) hash = extend(hash, bound);
    }
    words_[1 + 2 * d] = static_cast<std::int64_t>(hash);
    words_[2 + 2 * d] = ~words_[1 + 2 * d];
  }
  comm_.allreduce(words_.data(), static_cast<int>(words_.size()), Reduction::min);
  if (words_[0] == 0) agree(comm_, failure);
  for (std::size_t d = 0; d < ndim(); ++d) {
    if (words_[1 + 2 * d] != ~words_[2 + 2 * d]) throw_other_bounds(d);
  }
}

/// The first start and the last stop are local clauses (B10, B11).
void GlobalIndexMapBuilder::check_block(std::size_t d) const {
  const auto* block = dimension(d).as<Block>();
  const Index next = (*parts_[d].bounds)[static_cast<std::size_t>(block->grid.rank) + 1];
  if (block->owned.stop == next) return;
  throw Malformed(make_finding("B09", d, "stop",
                               text(block->owned) + " on grid rank " +
                                   std::to_string(block->grid.rank) + ", start " +
                                   std::to_string(next) + " on the next",
                               "a stop that is the start of the next process"));
}

void GlobalIndexMapBuilder::check_cyclic(std::size_t d) const {
  const auto* cyclic = dimension(d).as<Cyclic>();
  const Index size = dimension(d).global_size();
  const Index origin = parts_[d].origin;
  const Index position = (cyclic->grid.rank - origin + cyclic->grid.size) % cyclic->grid.size;
  // Where a process owns something, the agreed origin is its own.
  if (cyclic->start < size ||
      cyclic_owned_count(size, cyclic->block_size, cyclic->grid.size, position) == 0)
    return;
  throw Malformed(make_finding("C11", d, "start",
                               "start " + std::to_string(cyclic->start) +
                                   ", nothing owned, on grid rank " +
                                   std::to_string(cyclic->grid.rank) + " where grid rank " +
                                   std::to_string(origin) + " owns the first block",
                               "start " + std::to_string(position * cyclic->block_size)));
}

/// Collective. Names a process whose section is not that of its grid rank on rank 0's grid line.
void GlobalIndexMapBuilder::throw_other_bounds(std::size_t d) {
  std::vector<Index> reference =
      agreed(comm_, [&] { return std::vector<Index>(*parts_[d].bounds); });
  comm_.broadcast(reference.data(), reference.size() * sizeof(Index), 0);
  agreed(comm_, [&] {
    const auto* block = dimension(d).as<Block>();
    const auto i = static_cast<std::size_t>(block->grid.rank);
    const IndexRange expected{reference[i], reference[i + 1]};
    if (block->owned == expected) return;
    throw Malformed(make_finding("D22", d, "start",
                                 text(block->owned) + " on grid rank " + std::to_string(i),
                                 text(expected) + ", as on the grid line of rank 0"));
  });
}

void GlobalIndexMapBuilder::number_contiguously() {
  const bool listed = std::any_of(map_.directories_.begin(), map_.directories_.end(),
                                  [](const auto& directory) { return directory != nullptr; });
  if (map_.row_major_ && !listed) {
    map_.contiguous_offset_ = offset_by_arithmetic();
    return;
  }
  const Index owned = map_.local_.owned_count();
  Index halves[] = {owned & 0xffffffff, owned >> 32};
  comm_.allreduce(halves, 2, Reduction::sum);
  const bool fits = halves[1] + (halves[0] >> 32) <= std::numeric_limits<std::int32_t>::max();
  if (fits) map_.contiguous_offset_ = comm_.exclusive_sum(owned);
}

/// Elements of all lower ranks: for each dimension those that share the coordinates before it and
/// have a lower one in it.
std::optional<Index> GlobalIndexMapBuilder::offset_by_arithmetic() const {
  std::optional<Index> rest = 1;  // elements of the dimensions that are still to come
  for (std::size_t d = 0; d < ndim(); ++d) {
    if (dimension(d).global_size() == 0) return 0;
  }
  for (std::size_t d = 0; d < ndim(); ++d) {
    if (rest) rest = checked_multiply(*rest, dimension(d).global_size());
  }
  if (!rest) return std::nullopt;
  Index before = 0;
  Index shared = 1;
  for (std::size_t d = 0; d < ndim(); ++d) {
    const GlobalDimensionMap& map = map_.dimensions_[d];
    *rest /= dimension(d).global_size();
    before += shared * map.owned_before(map_.coordinates_[d]) * *rest;
    shared *= map.local().owned_count();
  }
  return before;
}

}  // namespace daptor::detail
