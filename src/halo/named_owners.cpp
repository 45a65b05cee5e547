#include "halo/named_owners.hpp"

#include <string>
#include <unordered_map>
#include <utility>

#include "ask.hpp"
#include "daptor/agreement.hpp"
#include "daptor/builders.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "refuse.hpp"

namespace daptor::detail {
namespace {

constexpr Index nowhere = -1;

/// Collective. The ranks that have each index in `owned`.
std::vector<int> owning_ranks(const Dimension& owned, const std::vector<Index>& globals,
                              const std::shared_ptr<const Communicator>& comm) {
  const auto division = agreed(*comm, [&] {
    fault_point("halo.owned");
    return describe(DataType::of<char>(), nullptr, {owned});
  });
  const GlobalIndexMap map(division, comm);
  const auto listed = owned.as<Unstructured>() != nullptr
                          ? map.owners_of_unstructured(0, globals)
                          : std::vector<std::optional<OwnerAlong>>();
  return agreed(*comm, [&] {
    fault_point("halo.owning_ranks");
    std::vector<int> ranks;
    for (std::size_t i = 0; i < globals.size(); ++i) {
      const auto owner = listed.empty() ? map.dimension(0).owner_of(globals[i]) : listed[i];
      if (!owner)
        refuse_argument("halo.owned",
                        "index " + std::to_string(globals[i]) + ", which no process owns",
                        "an owner for each index of the array");
      ranks.push_back(map.rank_at({owner->grid_rank}));
    }
    return ranks;
  });
}

}  // namespace

void require_names_owners(const DistArray& array, const Dimension& owned) {
  int lists = 0;
  for (const Dimension& dimension : array.dimensions()) {
    if (dimension.grid().size == 1) continue;
    ++lists;
    if (dimension.grid() != owned.grid() || dimension.as<Unstructured>() == nullptr)
      refuse_argument("halo.owned",
                      "owners of a dimension of type '" + std::string(1, dimension.dist_type()) +
                          "' on " + std::to_string(dimension.grid().size) + " processes",
                      "an unstructured dimension, divided among as many processes as its owners");
  }
  if (lists > 1)
    refuse_argument("halo.owned", "several divided dimensions", "one divided dimension");
}

std::vector<std::optional<OwnerAlong>> named_owners(
    const LocalDimensionMap& local, const Dimension& owned, const std::vector<Index>& globals,
    const std::shared_ptr<const Communicator>& comm) {
  const auto ranks = owning_ranks(owned, globals, comm);
  std::unordered_map<Index, int> rank_of;
  agreed(*comm, [&] {
    for (std::size_t i = 0; i < globals.size(); ++i) rank_of[globals[i]] = ranks[i];
  });
  const auto positions = ask<Index>(
      *comm, [&] { return globals; }, [&](Index global) { return rank_of.at(global); },
      [&](Index global) { return local.local_of(global).value_or(nowhere); });
  return agreed(*comm, [&] {
    fault_point("halo.positions");
    std::vector<std::optional<OwnerAlong>> owners;
    for (std::size_t i = 0; i < globals.size(); ++i) {
      if (positions[i] == nowhere)
        refuse_argument("halo.owned",
                        "index " + std::to_string(globals[i]) + ", which its owner, rank " +
                            std::to_string(ranks[i]) + ", has no element for",
                        "owners that have their own indices in the array");
      owners.push_back(OwnerAlong{ranks[i], positions[i]});
    }
    return owners;
  });
}

}  // namespace daptor::detail
