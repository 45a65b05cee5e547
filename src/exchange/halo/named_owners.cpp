// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/halo/named_owners.hpp"

#include <string>
#include <utility>

#include "daptor/adapter/names.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "ranks/ask.hpp"

namespace daptor::detail {
namespace {

constexpr Index nowhere = -1;

/// An index and the rank that owns it.
struct OwnedIndex {
  Index global;
  Index rank;
};
bool operator<(const OwnedIndex& a, const OwnedIndex& b) {
  return a.global < b.global;
}
bool operator==(const OwnedIndex& a, const OwnedIndex& b) {
  return a.global == b.global;
}
bool operator!=(const OwnedIndex& a, const OwnedIndex& b) {
  return !(a == b);
}

/// The number of a local index among those that the list says are owned.
Index number_of(const LocalDimensionMap& local, Index position) {
  return local.owned_part().number_at(position).value_or(nowhere);
}

/// Collective. For each index, the rank that has it in `owned`.
std::vector<int> owning_ranks(const Dimension& owned, const std::vector<Index>& globals,
                              Call& call) {
  const auto division =
      call.check([&] { return describe(DataType::of<char>(), nullptr, {owned}); });
  const GlobalIndexMap map(division.on(call.comm()));
  if (!map.row_major())
    adapter::refuse_argument("halo.owned", "ranks that are not in row-major order on the grid",
                             "row-major order, if owners are named in " + Terms(names::halo_owned));
  const auto listed = owned.as<Unstructured>() != nullptr
                          ? map.owners_of_unstructured(0, globals)
                          : std::vector<std::optional<OwnerAlong>>();
  return call.check([&] {
    std::vector<int> ranks;
    for (std::size_t i = 0; i < globals.size(); ++i) {
      const auto owner = listed.empty() ? map.dimension(0).owner_of(globals[i]) : listed[i];
      if (!owner)
        adapter::refuse_argument("halo.owned",
                                 "index " + terms::index(globals[i]) + ", which no process owns",
                                 "an owner for each index of the array");
      ranks.push_back(map.rank_at({owner->grid_rank}));
    }
    return ranks;
  });
}

}  // namespace

int named_dimension(const LocalIndexMap& map) {
  int divided = 0;
  int list = -1;
  for (int d = 0; d < map.ndim(); ++d)
    if (map.dimension(d).dimension().grid().size > 1) ++divided;
  for (int d = 0; d < map.ndim(); ++d) {
    const Dimension& dimension = map.dimension(d).dimension();
    if (dimension.as<Unstructured>() == nullptr) continue;
    if (divided > 0 && dimension.grid().size == 1) continue;
    if (list >= 0) return -1;
    list = d;
  }
  return divided > 1 ? -1 : list;
}

void require_names_owners(const Section& array, const Dimension& owned) {
  owned.defect().raise();
  // Without a list no index is shared: a Tpetra Map without ghosts is described as a block.
  if (!adapter::has_lists(array)) return;
  const int named = named_dimension(LocalIndexMap(array));
  if (named < 0 || array.dimension(named).grid() != owned.grid())
    adapter::refuse_argument(
        "halo.owned", "owners on " + std::to_string(owned.grid().size) + " processes",
        "an array with one divided dimension, which is unstructured and divided over "
        "as many processes as its owners");
}

std::vector<OwnerAlong> named_owners(const LocalDimensionMap& local, const Dimension& owned,
                                     const std::vector<Index>& globals, Call& call) {
  const auto ranks = owning_ranks(owned, globals, call);
  const auto ghosts = [&] {
    std::vector<OwnedIndex> elsewhere;
    for (std::size_t i = 0; i < globals.size(); ++i)
      if (ranks[i] != call.comm().rank()) elsewhere.push_back({globals[i], ranks[i]});
    return elsewhere;
  };
  const auto positions = ask<Index>(
      call, ghosts, [](const OwnedIndex& index) { return static_cast<int>(index.rank); },
      [&](const OwnedIndex& index) {
        const auto position = local.local_of(index.global);
        return position ? number_of(local, *position) : nowhere;
      });
  return call.check([&] {
    std::vector<OwnerAlong> owners;
    auto answer = positions.begin();
    for (std::size_t i = 0; i < globals.size(); ++i) {
      const Index position =
          ranks[i] == call.comm().rank() ? number_of(local, static_cast<Index>(i)) : *answer++;
      if (position == nowhere)
        adapter::refuse_argument("halo.owned",
                                 "index " + terms::index(globals[i]) +
                                     ", missing in the section of its owner, rank " +
                                     std::to_string(ranks[i]),
                                 "all indices of an owner in its section of the array");
      owners.push_back({ranks[i], position});
    }
    return owners;
  });
}

}  // namespace daptor::detail
