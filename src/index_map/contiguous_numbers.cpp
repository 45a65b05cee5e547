// SPDX-License-Identifier: BSD-3-Clause
// The contiguous numbering: rank after rank, each rank's owned elements in memory order.
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/global_index_map.hpp"
#include "index_map/grid_numbers.hpp"
#include "proof/index_directory.hpp"
#include "proof/proven.hpp"
#include "proof/walk.hpp"
#include "ranks/ask.hpp"

namespace daptor {

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

/// Collective. Sums up the elements of the ranks below this one, if that was not done before.
/// @param most  the greatest number of elements that one rank owns
void GlobalIndexMap::sum_contiguous_offset(Index most) const {
  if (numbering_->known) return;
  const Index owned = local_.owned_count();
  bool fits = checked_multiply(most, comm_->size()).has_value();
  if (!fits) {
    // The ranks may still have few enough elements in total.
    Index halves[] = {owned & 0xffffffff, owned >> 32};
    comm_->allreduce(halves, 2, Reduction::sum);
    fits = halves[1] + (halves[0] >> 32) <= std::numeric_limits<std::int32_t>::max();
  }
  if (fits) numbering_->offset = comm_->exclusive_sum(owned);
  numbering_->known = true;
}

bool GlobalIndexMap::knows_contiguous_offsets() const {
  return row_major() && !listed_;
}

namespace {

Index known_offset(const std::optional<Index>& offset) {
  if (offset) return *offset;
  throw Malformed(error_finding("D09", -1, "size", "an array of more than 2^63 - 1 elements",
                                "at most 2^63 - 1 elements"));
}

}  // namespace

Index GlobalIndexMap::contiguous_offset() const {
  if (!numbering_->known) {
    Call call(comm_, "GlobalIndexMap::contiguous_offset");
    if (knows_contiguous_offsets()) {
      numbering_->offset = offset_by_arithmetic(coordinates_);
      numbering_->known = true;
    } else {
      const auto most = call.greatest(local_.owned_count());
      call.check();
      sum_contiguous_offset(most);
    }
  }
  return known_offset(numbering_->offset);
}

Index GlobalIndexMap::contiguous_offset_at(const std::vector<Index>& coordinates) const {
  static_cast<void>(detail::grid_number_of(grid_, coordinates));  // throws if there is no process
  if (!knows_contiguous_offsets())
    throw InvalidArgument("coordinates", "another process, whose number of elements is not known",
                          "ranks in row-major order and no unstructured dimension");
  return known_offset(offset_by_arithmetic(coordinates));
}

namespace {

/// The owners of the local indices along one dimension.
struct OwnersAlongDimension {
  std::vector<Index> grid_ranks;     ///< of the processes that own some of them, each once
  std::vector<std::size_t> process;  ///< the owner of each local index, by its place in that list
  std::vector<Index> owned_index;    ///< of each local index, among those that its owner owns
};

/// `ghosts`: the owners of the ghosts of a list.
OwnersAlongDimension owners_along_dimension(const GlobalDimensionMap& map,
                                            const std::vector<OwnerAlong>& ghosts) {
  const LocalDimensionMap& local = map.local();
  const Index self = local.dimension().grid().rank;
  const auto count = static_cast<std::size_t>(local.local_extent());
  OwnersAlongDimension owners;
  owners.process.reserve(count);
  owners.owned_index.reserve(count);
  std::map<Index, std::size_t> places;
  auto ghost = ghosts.begin();
  Index next = 0;  // number of the next owned index
  for (Index i = 0; i < local.local_extent(); ++i) {
    OwnerAlong owner{self, next};
    if (local.is_owned(i))
      ++next;
    else
      owner = ghosts.empty() ? map.owner_of(local.global_of(i)).value() : *ghost++;
    const auto [place, first] = places.try_emplace(owner.grid_rank, owners.grid_ranks.size());
    if (first) owners.grid_ranks.push_back(owner.grid_rank);
    owners.process.push_back(place->second);
    owners.owned_index.push_back(owner.owned_index);
  }
  return owners;
}

/// The owners of all elements of a section. Since a section is a product of dimensions, they are
/// all combinations of the owners along each dimension.
class OwnersOfSection {
 public:
  OwnersOfSection() = default;
  /// `ghosts`: for each dimension, the owners of the ghosts of its list.
  OwnersOfSection(const GlobalIndexMap& map, const std::vector<std::vector<OwnerAlong>>& ghosts)
      : local_count_(map.local().local_count()) {
    for (int d = 0; d < map.ndim(); ++d)
      along_.push_back(
          owners_along_dimension(map.dimension(d), ghosts[static_cast<std::size_t>(d)]));
  }

  /// The coordinates of each owner on the grid.
  std::vector<std::vector<Index>> coordinates() const {
    std::vector<std::vector<Index>> all(1);
    for (const OwnersAlongDimension& owners : along_) {
      std::vector<std::vector<Index>> longer;
      for (const std::vector<Index>& start : all)
        for (const Index grid_rank : owners.grid_ranks) {
          longer.push_back(start);
          longer.back().push_back(grid_rank);
        }
      all = std::move(longer);
    }
    return all;
  }

  /// The contiguous numbers of all elements, in this order.
  /// @param shares  for each of `coordinates()`, the first number of that process, followed by its
  ///                owned extents
  std::vector<Index> numbers(const std::vector<Index>& shares, Order order) const {
    std::vector<Index> result;
    result.reserve(static_cast<std::size_t>(local_count_));
    std::vector<std::size_t> local(along_.size(), 0);
    for (Index remaining = local_count_; remaining > 0; --remaining) {
      result.push_back(number_of(local, shares, order));
      for (std::size_t k = local.size(); k-- > 0;) {
        const std::size_t d = slowest_first(k, order);
        if (++local[d] < along_[d].process.size()) break;
        local[d] = 0;
      }
    }
    return result;
  }

 private:
  std::size_t slowest_first(std::size_t k, Order order) const {
    return order == Order::c ? k : along_.size() - 1 - k;
  }

  Index number_of(const std::vector<std::size_t>& local, const std::vector<Index>& shares,
                  Order order) const {
    std::size_t owner = 0;
    for (std::size_t d = 0; d < local.size(); ++d)
      owner = owner * along_[d].grid_ranks.size() + along_[d].process[local[d]];
    const Index* const share = shares.data() + owner * (local.size() + 1);
    Index position = 0;
    for (std::size_t k = 0; k < local.size(); ++k) {
      const std::size_t d = slowest_first(k, order);
      position = position * share[1 + d] + along_[d].owned_index[local[d]];
    }
    return share[0] + position;
  }

  Index local_count_ = 0;
  std::vector<OwnersAlongDimension> along_;
};

std::vector<Index> numbers_from(Index first, Index count) {
  std::vector<Index> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

/// Whether a list says which of its indices are owned; the same on all ranks.
bool names_owned(const Dimension& dimension) {
  const auto* list = dimension.as<Unstructured>();
  return list != nullptr && list->owned;
}

std::vector<Index> listed_ghosts(const Dimension& dimension) {
  const auto* list = dimension.as<Unstructured>();
  if (list == nullptr || !list->owned) return {};
  return list->indices.at(list->owned->ghosts(list->indices.size()));
}

/// Collective. The shares of the processes whose row-major numbers on the grid `grid_numbers()`
/// returns. They are asked for word by word; each rank answers with the words of `kept`.
template <class GridNumbers>
std::vector<Index> shares_at(const GridNumbers& grid_numbers, const std::vector<Index>& kept,
                             Call& call) {
  const auto words = static_cast<Index>(kept.size());
  const auto questions = [&] {
    std::vector<Index> asked;
    for (const Index number : grid_numbers())
      for (Index word = 0; word < words; ++word) asked.push_back(number * words + word);
    return asked;
  };
  return detail::ask<Index>(
      call, questions, [&](Index asked) { return static_cast<int>(asked / words); },
      [&](Index asked) { return kept[static_cast<std::size_t>(asked % words)]; });
}

/// Collective. Called if an index does not have exactly one owner: throws what the walk finds.
[[noreturn]] void refuse_owners(const Section& array, const Comm& comm) {
  proof::require_lists(array, comm);
  throw std::logic_error("the walk finds one owner of each index, and the directory does not");
}

}  // namespace

/// Process-local: no rank has to be asked for its numbers.
std::vector<Index> GlobalIndexMap::local_contiguous_by_arithmetic(Order order) const {
  if (local_.local_count() == local_.owned_count())
    return numbers_from(contiguous_offset_at(coordinates_), local_.owned_count());
  const OwnersOfSection owners(*this, std::vector<std::vector<OwnerAlong>>(dimensions_.size()));
  std::vector<Index> shares;
  for (const std::vector<Index>& there : owners.coordinates()) {
    shares.push_back(contiguous_offset_at(there));
    for (std::size_t d = 0; d < there.size(); ++d)
      shares.push_back(dimensions_[d].owned_count(there[d]));
  }
  return owners.numbers(shares, order);
}

/// Collective. The owners of these ghosts of a list that says which of its indices are owned.
std::vector<OwnerAlong> GlobalIndexMap::owners_of_ghosts(std::size_t dimension,
                                                         const std::vector<Index>& ghosts,
                                                         Call& call) const {
  detail::IndexDirectory& directory = *directories_[dimension];
  if (!directory.one_to_one(call)) refuse_owners(description_, comm_);
  const auto found = directory.find(call, ghosts);
  std::vector<OwnerAlong> owners;
  Agreed<bool> all_owned;
  call.check([&] {
    for (const auto& owner : found)
      if (owner) owners.push_back(*owner);
    all_owned = call.all(owners.size() == found.size());
  });
  if (!all_owned) refuse_owners(description_, comm_);
  return owners;
}

std::vector<Index> GlobalIndexMap::local_contiguous(Order order) const {
  Call call(comm_, "GlobalIndexMap::local_contiguous");
  call.same("order", order);
  return local_contiguous(order, call);
}

/// Where offsets are not known, each rank is asked for its share of the numbers: its first number
/// and its owned extents. If ranks are not in row-major order, each has given its share to the
/// keeper of its position, the rank equal to the row-major number of the position, so that others
/// can find it.
///
/// Example: a list of eight indices on two ranks, which own five and three of them. Rank 0 has a
/// ghost, which according to the directory is the second index that rank 1 owns. It asks rank 1 for
/// its share, {5, 3}, and gives the ghost the number 5 + 1.
std::vector<Index> GlobalIndexMap::local_contiguous(Order order, Call& call) const {
  if (knows_contiguous_offsets())
    return call.check([&] { return local_contiguous_by_arithmetic(order); });

  std::vector<Index> share, kept;
  std::vector<std::vector<Index>> ghosts;
  std::vector<std::vector<OwnerAlong>> owners_of_all_ghosts;
  bool any_names_owned = false;
  const auto most = call.greatest(local_.owned_count());
  Agreed<bool> unpadded;
  call.check([&] {
    share.push_back(0);
    for (const GlobalDimensionMap& map : dimensions_) {
      const Dimension& dimension = map.local().dimension();
      share.push_back(map.local().owned_count());
      ghosts.push_back(listed_ghosts(dimension));
      any_names_owned = any_names_owned || names_owned(dimension);
    }
    kept = share;
    owners_of_all_ghosts.resize(dimensions_.size());
    unpadded = call.all(local_.local_count() == local_.owned_count());
  });
  sum_contiguous_offset(most);
  share[0] = known_offset(numbering_->offset);  // throws on all ranks, or on none
  if (unpadded && !any_names_owned)
    return call.check([&] { return numbers_from(share[0], local_.owned_count()); });

  if (listed_) proof::require_same_lists(description_, comm_);
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    if (names_owned(dimensions_[d].local().dimension()))
      owners_of_all_ghosts[d] = owners_of_ghosts(d, ghosts[d], call);

  const std::size_t bytes = share.size() * sizeof(Index);
  if (row_major())
    std::copy(share.begin(), share.end(), kept.begin());
  else
    comm_->sendrecv(static_cast<int>(detail::grid_number_of(grid_, coordinates_)), share.data(),
                    bytes, proven_->rank_here, kept.data(), bytes);
  OwnersOfSection owners;
  const auto grid_numbers = [&] {
    owners = OwnersOfSection(*this, owners_of_all_ghosts);
    std::vector<Index> numbers;
    for (const std::vector<Index>& there : owners.coordinates())
      numbers.push_back(detail::grid_number_of(grid_, there));
    return numbers;
  };
  const auto shares = shares_at(grid_numbers, kept, call);
  return call.check([&] { return owners.numbers(shares, order); });
}

}  // namespace daptor
