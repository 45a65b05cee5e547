// SPDX-License-Identifier: BSD-3-Clause
#include "numbers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/global_index_map.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/validate.hpp"
#include "element_reasons.hpp"
#include "order.hpp"
#include "overlap.hpp"

namespace daptor::petsc::detail {
namespace {

/// The owner of each local index along each dimension: O(sum of the extents).
using OwnersAlong = std::vector<std::vector<OwnerAlong>>;

/// Whether the section may have elements that other processes number: it has padding, or lists that
/// say which indices are ghosts and for which it has been proven that each index has one owner.
bool padded(const Section& array) {
  for (const Dimension& dimension : array.dimensions()) {
    const auto* list = dimension.as<Unstructured>();
    if (list != nullptr && list->owned) return true;
  }
  return array.local_count() != array.owned_count();
}

/// The ghosts of a list, which follow the owned indices.
std::vector<Index> ghosts_of(const Dimension& dimension) {
  const auto* list = dimension.as<Unstructured>();
  if (list == nullptr || !list->owned) return {};
  return {list->indices.begin() + *list->owned, list->indices.end()};
}

/// Whether the list says how many of its indices are owned; it has been proven that this is the
/// same on all ranks.
bool names_owned(const Dimension& dimension) {
  const auto* list = dimension.as<Unstructured>();
  return list != nullptr && list->owned;
}

bool names_owned(const Section& array) {
  for (const Dimension& dimension : array.dimensions())
    if (names_owned(dimension)) return true;
  return false;
}

/// Collective. Called if an index does not have exactly one owner: throws what `validate` finds.
[[noreturn]] void refuse_owners(const DistArray& array) {
  throw Malformed(validate(array));
}

/// Collective. Owners of the ghosts along each dimension that lists ghosts.
OwnersAlong ghost_owners(const DistArray& array, const GlobalIndexMap& map, Call& call) {
  OwnersAlong owners(static_cast<std::size_t>(array.ndim()));
  for (int d = 0; d < array.ndim(); ++d) {
    if (!names_owned(array.dimension(d))) continue;
    if (!map.one_to_one(d)) refuse_owners(array);
    const auto ghosts = call.check([&] { return ghosts_of(array.dimension(d)); });
    const auto found = map.owners_of_unstructured(d, ghosts);
    Agreed<bool> all_owned;
    call.check([&] {
      auto& along = owners[static_cast<std::size_t>(d)];
      for (const auto& owner : found)
        if (owner) along.push_back(*owner);
      all_owned = call.all(along.size() == found.size());
    });
    if (!all_owned) refuse_owners(array);
  }
  return owners;
}

OwnersAlong owners_along(const Section& array, const GlobalIndexMap& map,
                         const OwnersAlong& ghosts) {
  OwnersAlong owners(static_cast<std::size_t>(array.ndim()));
  for (int d = 0; d < array.ndim(); ++d) {
    const GlobalDimensionMap& dimension = map.dimension(d);
    const LocalDimensionMap& local = dimension.local();
    auto& along = owners[static_cast<std::size_t>(d)];
    along.reserve(static_cast<std::size_t>(local.local_extent()));
    const auto& listed = ghosts[static_cast<std::size_t>(d)];
    const Index owned = local.owned_count();
    for (Index i = 0; i < local.local_extent(); ++i) {
      if (!listed.empty() && i >= owned) {
        along.push_back(listed[static_cast<std::size_t>(i - owned)]);
        continue;
      }
      const OwnerAlong self{map.coordinates()[static_cast<std::size_t>(d)],
                            i - local.owned_offset()};
      along.push_back(local.is_owned(i) ? self
                                        : dimension.owner_of(local.global_of(i)).value_or(self));
    }
  }
  return owners;
}

/// Calls `visit(local multi-index)` for every element of the section, in memory order.
template <class F>
void for_each_local(const Section& array, Order order, F&& visit) {
  const std::vector<Index>& shape = array.local_shape();
  std::vector<Index> index(shape.size(), 0);
  for (Index remaining = array.local_count(); remaining > 0; --remaining) {
    visit(index);
    for (std::size_t k = 0; k < shape.size(); ++k) {
      const std::size_t d = order == Order::c ? shape.size() - 1 - k : k;
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
}

/// How a rank numbers its elements: its first contiguous number, followed by its owned extents.
using RankNumbers = std::vector<Index>;

/// Collective, because it asks the ranks at these coordinates how they number their elements.
/// `first` is this rank's own first number.
std::vector<RankNumbers> numbers_of(const std::vector<std::vector<Index>>& coordinates,
                                    const DistArray& array, const GlobalIndexMap& map,
                                    Index first) {
  const Comm comm = array.comm();
  const std::vector<int> ranks = map.ranks_at(coordinates);
  std::vector<Message> questions;
  questions.reserve(ranks.size());
  for (const int rank : ranks) questions.push_back({rank, {}});
  std::vector<Message> answers = comm->exchange(questions);
  RankNumbers mine{first};
  mine.insert(mine.end(), array.owned_shape().begin(), array.owned_shape().end());
  const std::size_t bytes = mine.size() * sizeof(Index);
  for (Message& answer : answers) {
    answer.bytes.resize(bytes);
    std::memcpy(answer.bytes.data(), mine.data(), bytes);
  }
  std::map<int, RankNumbers> told;
  for (const Message& answer : comm->exchange(answers)) {
    told[answer.rank].resize(mine.size());
    std::memcpy(told[answer.rank].data(), answer.bytes.data(), bytes);
  }
  std::vector<RankNumbers> numbers;
  numbers.reserve(ranks.size());
  for (const int rank : ranks) numbers.push_back(told[rank]);
  return numbers;
}

/// Computes contiguous numbers in padded sections. A number is the owner's first number plus the
/// position in the owner's owned part.
class PaddedNumbers {
 public:
  PaddedNumbers(const Section& array, const GlobalIndexMap& map, Order order,
                const OwnersAlong& ghosts)
      : array_(array), map_(map), order_(order), owners_(owners_along(array, map, ghosts)) {
    std::vector<Index> coordinates(owners_.size());
    for_each_local(array_, order_, [&](const std::vector<Index>& index) {
      if (!find_owner(index, coordinates)) slots_.emplace(coordinates, slots_.size());
    });
  }

  /// Coordinates of the other processes that own elements of this process's padding.
  std::vector<std::vector<Index>> owners() const {
    std::vector<std::vector<Index>> list(slots_.size());
    for (const auto& [coordinates, slot] : slots_) list[slot] = coordinates;
    return list;
  }

  /// `theirs` says how each of `owners()` numbers its elements; `first` is this rank's first
  /// number.
  std::vector<Index> numbers(const std::vector<RankNumbers>& theirs, Index first) const {
    RankNumbers mine{first};
    mine.insert(mine.end(), array_.owned_shape().begin(), array_.owned_shape().end());
    std::vector<Index> result;
    result.reserve(static_cast<std::size_t>(array_.local_count()));
    std::vector<Index> coordinates(owners_.size());
    for_each_local(array_, order_, [&](const std::vector<Index>& index) {
      const bool own = find_owner(index, coordinates);
      result.push_back(number_of(index, own ? mine : theirs[slots_.at(coordinates)]));
    });
    return result;
  }

 private:
  const OwnerAlong& owner_along(std::size_t d, const std::vector<Index>& index) const {
    return owners_[d][static_cast<std::size_t>(index[d])];
  }

  /// Sets the coordinates of the owner; returns whether this process is the owner.
  bool find_owner(const std::vector<Index>& index, std::vector<Index>& coordinates) const {
    bool own = true;
    for (std::size_t d = 0; d < index.size(); ++d) {
      coordinates[d] = owner_along(d, index).grid_rank;
      own = own && coordinates[d] == map_.coordinates()[d];
    }
    return own;
  }

  Index number_of(const std::vector<Index>& index, const RankNumbers& owner) const {
    Index position = 0;
    for (std::size_t k = 0; k < index.size(); ++k) {
      const std::size_t d = order_ == Order::c ? k : index.size() - 1 - k;
      position = position * owner[d + 1] + owner_along(d, index).owned_index;
    }
    return owner[0] + position;
  }

  const Section& array_;
  const GlobalIndexMap& map_;
  Order order_;
  OwnersAlong owners_;
  std::map<std::vector<Index>, std::size_t> slots_;
};

/// The same by arithmetic, where the map knows it. Process-local.
std::vector<RankNumbers> known_numbers_of(const std::vector<std::vector<Index>>& coordinates,
                                          const GlobalIndexMap& map) {
  std::vector<RankNumbers> all;
  all.reserve(coordinates.size());
  for (const auto& at : coordinates) {
    RankNumbers& numbers = all.emplace_back();
    numbers.push_back(map.contiguous_offset_at(at));
    for (int d = 0; d < map.ndim(); ++d)
      numbers.push_back(map.dimension(d).owned_count(at[static_cast<std::size_t>(d)]));
  }
  return all;
}

std::vector<Index> contiguous_numbers(const DistArray& array, const GlobalIndexMap& map,
                                      Order order, bool any_padding, Call& call) {
  const Index first = map.contiguous_offset();
  if (any_padding && map.knows_contiguous_offsets())
    return call.check([&] {
      const PaddedNumbers padded(array, map, order,
                                 OwnersAlong(static_cast<std::size_t>(map.ndim())));
      return padded.numbers(known_numbers_of(padded.owners(), map), first);
    });
  if (any_padding) {
    const OwnersAlong ghosts = ghost_owners(array, map, call);
    const auto padded_numbers =
        call.check([&] { return PaddedNumbers(array, map, order, ghosts); });
    const auto theirs = numbers_of(padded_numbers.owners(), array, map, first);
    return call.check([&] { return padded_numbers.numbers(theirs, first); });
  }
  return call.check([&] {
    std::vector<Index> numbers(static_cast<std::size_t>(array.local_count()));
    Index next = first;
    for (Index& number : numbers) number = next++;
    return numbers;
  });
}

/// Refuses unstructured indices that have no natural number.
void require_numbered(const Section& array) {
  for (int d = 0; d < array.ndim(); ++d) {
    const Dimension& dimension = array.dimension(d);
    const auto* list = dimension.as<Unstructured>();
    if (list == nullptr) continue;
    const auto outside = std::find_if(list->indices.begin(), list->indices.end(), [&](Index i) {
      return i < 0 || i >= dimension.global_size();
    });
    if (outside != list->indices.end())
      throw NotRepresentable(
          adapter::reason("petsc.numbering.index-range", d, "index " + std::to_string(*outside),
                          "indices in [0, " + std::to_string(dimension.global_size()) +
                              "), the range of natural numbers",
                          "Use Numbering::contiguous."));
  }
}

void require_petsc_numbers(std::optional<Index> largest) {
  adapter::Reasons reasons;
  count_reason("petsc.numbering", "a global number", largest, reasons);
  adapter::require_none(std::move(reasons));
}

struct Facts {
  Order order = Order::c;
  bool any_padding = false;
};

Facts agree_on_facts(const Section& array, Numbering numbering, Call& call) {
  call.same("numbering", numbering);
  Agreed<bool> c, fortran, unpadded;
  call.check([&] {
    require_session();
    if (numbering == Numbering::natural) {
      require_numbered(array);
      require_petsc_numbers(adapter::global_count(array.dimensions()));
    }
    require_petsc_numbers(array.local_count());
    const OrderFit orders = memory_order(array);
    c = call.all(orders.c);
    fortran = call.all(orders.fortran);
    unpadded = call.all(!padded(array));
  });
  const Order order = common_order(c, fortran, [] {
    return adapter::reason(
        "petsc.numbering.order", "sections in C order on some ranks and in Fortran order on others",
        "the same order on all ranks", "Let the producer store all sections in the same order.");
  });
  return {order, !unpadded};
}

adapter::Reasons overlap_reasons(const Section& array) {
  return {adapter::reason("petsc.numbering.permutation", adapter::shared_dimension(array),
                          "unstructured indices that may be on several processes",
                          "each element on one process",
                          "Use local_to_global, which needs no permutation.")};
}

}  // namespace

std::vector<Index> local_numbers(const DistArray& array, Numbering numbering, Call& call) {
  const Facts facts = agree_on_facts(array, numbering, call);
  if (numbering == Numbering::contiguous) {
    const GlobalIndexMap map(array);
    return contiguous_numbers(array, map, facts.order, facts.any_padding, call);
  }
  return call.check([&] { return LocalIndexMap(array).local_natural(facts.order); });
}

std::vector<Index> owned_natural_numbers(const DistArray& array, Call& call) {
  const Facts facts = agree_on_facts(array, Numbering::natural, call);
  require_one_to_one(array, [&] { return overlap_reasons(array); });
  if (names_owned(array)) {
    const GlobalIndexMap map(array);
    for (int d = 0; d < array.ndim(); ++d)
      if (names_owned(array.dimension(d)) && !map.one_to_one(d)) refuse_owners(array);
  }
  return call.check([&] { return LocalIndexMap(array).owned_natural(facts.order); });
}

}  // namespace daptor::petsc::detail
