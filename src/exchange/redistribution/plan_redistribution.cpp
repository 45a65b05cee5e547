// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/plan_redistribution.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "daptor/adapter/names.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/global_index_map.hpp"
#include "exchange/redistribution/agents.hpp"
#include "exchange/redistribution/coverage.hpp"
#include "exchange/redistribution/divide_demand.hpp"
#include "exchange/redistribution/repeats.hpp"
#include "proof/walk.hpp"

namespace daptor::detail {
namespace {

/// Which side requests elements, and how. The other side must know which process owns them.
struct Roles {
  bool flat = false;         ///< shapes differ: one side numbers the elements of the other
  bool source_asks = false;  ///< otherwise the target asks
  bool padding = false;      ///< the target's padding is filled too
};

std::string shape_text(const std::vector<Index>& shape) {
  std::string text = shape.empty() ? "no dimensions" : "";
  for (const Index n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

/// Process-local; the result is the same on all ranks. If the target is structured, an unstructured
/// source can compute where its elements go, and no directory is needed.
Roles roles_of(const Outline& source, const Outline& target, const RedistributionOptions& options) {
  Roles roles;
  roles.flat = source.shape != target.shape;
  roles.padding = options.fill_padding;
  const bool one_dimensional = source.shape.size() == 1 || target.shape.size() == 1;
  const auto elements = source.elements();
  if (roles.flat && (!one_dimensional || !elements || elements != target.elements()))
    adapter::refuse_argument(
        "redistribute.shape",
        "a source of " + shape_text(source.shape) + ", a target of " + shape_text(target.shape),
        "the same global shape, or one dimension with the same number of elements",
        "Sizes count boundary padding. To copy without it, pass the interior, which is on the same "
        "memory: " +
            names::without_padding + ".");
  roles.source_asks = source.unstructured() && !target.unstructured() && !options.fill_padding &&
                      (roles.flat || source.shape.size() == 1);
  if (roles.flat && !roles.source_asks && source.shape.size() != 1 && source.unstructured())
    adapter::refuse_argument(
        "redistribute.shape",
        "a source of " + shape_text(source.shape) +
            " with an unstructured dimension, and a target of another shape",
        "a target of the same shape, or one without unstructured dimensions and fill_padding",
        "Redistribute to a block array of the source's shape first.");
  return roles;
}

/// The request of this process.
Demand own_demand(const Side& asker, bool flat, bool padding, std::size_t owner_ndim) {
  if (!asker.takes_part() || asker.array().local_count() == 0)
    return Demand::of_nothing(flat ? 1 : owner_ndim);
  const LocalIndexMap section(asker.array());
  if (flat && section.ndim() != 1) return flat_demand_of(section, flat_box(asker.array(), padding));
  return demand_of(section, padding);
}

/// Replaces ranks in one communicator by ranks in another communicator that contains it.
void translate(std::vector<Wanted>& wanted, MPI_Comm from, MPI_Comm to) {
  std::vector<int> ranks;
  ranks.reserve(wanted.size());
  for (const Wanted& box : wanted) ranks.push_back(box.rank);
  ranks = translated(ranks, from, to);
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i].rank = ranks[i];
}

/// Collective over the owners' communicator. Divides demands, and finds the ranks of the owners in
/// that communicator.
Divided divide_and_locate(const std::vector<Demand>& demands, const GlobalIndexMap& owners,
                          bool flat, Asker asker, Call& call) {
  const bool rows = flat && owners.ndim() != 1;
  Divided found =
      rows ? divide_flat(demands, owners, asker, call) : divide(demands, owners, asker, call);
  locate(found.boxes, owners, call);
  return found;
}

[[noreturn]] void refuse_overlap(int d) {
  throw InvalidArgument(Report({error_finding(
      "redistribute.overlap", d, "indices", "a source with an index more than once",
      "a source that has each index once",
      terms::set_option("read_from_any") +
          " if all copies are equal, as an exchange makes them; or describe which indices each "
          "process owns (" +
          names::owned_then_ghosts + ").")}));
}

/// Collective over the owners' communicator. Requires that no index of the owners' lists is on two
/// processes, or twice on one process.
void require_one_to_one(const GlobalIndexMap& owners) {
  for (int d = 0; d < owners.ndim(); ++d)
    if (owners.dimension(d).local().dimension().as<Unstructured>() != nullptr &&
        !owners.one_to_one(d))
      refuse_overlap(d);
}

/// Collective over the communicator of `side`. If lists say which of their indices are owned,
/// requires that each index has one owner; otherwise a rule is broken, and this throws what
/// `validate` finds.
void require_owners(const Side& side) {
  const auto& dimensions = side.array().dimensions();
  const bool owned = std::any_of(dimensions.begin(), dimensions.end(), [](const Dimension& d) {
    return d.as<Unstructured>() != nullptr && d.as<Unstructured>()->owned;
  });
  if (owned) proof::require_lists(side.array(), *side.comm);
}

/// The dimensions that owners list, but of which the side that asks wants all indices.
std::vector<int> listed_for_all(const Side& owner, const Side& asker) {
  const std::string& owning = owner.outline.dist_types;
  const std::string& asking = asker.outline.dist_types;
  std::vector<int> dimensions;
  const std::vector<Index>& shape = asker.outline.shape;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return dimensions;
  for (std::size_t d = 0; d < owning.size(); ++d)
    if (owning[d] == 'u' && asking[d] != 'u') dimensions.push_back(static_cast<int>(d));
  return dimensions;
}

/// The number of indices that this process adds to those listed for dimension `d`. Of the processes
/// with the same list, one counts it.
std::int64_t listed_here(const GlobalIndexMap& owners, int d) {
  for (int other = 0; other < owners.ndim(); ++other)
    if (other != d && owners.coordinates()[static_cast<std::size_t>(other)] != 0) return 0;
  return owners.dimension(d).local().owned_count();
}

/// Collective over the owners' communicator. Requires that lists have as many indices as a
/// dimension of which a structured target wants all. Asking the directory for each of them could
/// take time and memory in proportion to the size of the dimension, which may be far greater than
/// the number of elements that there are.
/// @param dimensions  `listed_for_all` of the sides, which is the same on all ranks
/// @returns the first dimension with more indices than the target has; -1 if there is none
int require_enough_listed(const GlobalIndexMap& owners, const std::vector<int>& dimensions,
                          Call& call) {
  if (dimensions.empty()) return -1;
  auto listed = call.check([&] {
    std::vector<std::int64_t> counts;
    counts.reserve(dimensions.size());
    for (const int d : dimensions) counts.push_back(listed_here(owners, d));
    return counts;
  });
  call.comm()->allreduce(listed.data(), static_cast<int>(listed.size()), Reduction::sum);
  return call.check([&] {
    int over = -1;
    for (std::size_t i = 0; i < listed.size(); ++i) {
      const Index size = owners.dimension(dimensions[i]).local().global_size();
      if (listed[i] > size && over < 0) over = dimensions[i];
      if (listed[i] >= size) continue;
      throw InvalidArgument(Report({error_finding(
          "redistribute.missing", dimensions[i], "",
          std::to_string(listed[i]) + " indices on all processes, for a dimension of " +
              std::to_string(size),
          "a source that has every element of the target",
          "Redistribute to an array with lists of these indices, or add what is missing.")}));
    }
    return over;
  });
}

/// Collective over the owners' communicator. Divides demands among the processes of `owner`.
/// Without lists, what fails the next check of the call tells.
/// @param wants_all  the dimensions of which all indices must be listed
Divided divide_among(const Side& owner, const std::vector<Demand>& demands, const Roles& roles,
                     const std::vector<int>& wants_all, bool read_from_any, Call& call) {
  const GlobalIndexMap owners(owner.array(), owner.proof, call);
  const Asker asker = roles.source_asks ? Asker::source : Asker::target;
  if (!owner.outline.unstructured())
    return divide_and_locate(demands, owners, roles.flat, asker, call);
  call.check();
  proof::require_same_lists(owner.array(), *owner.comm);
  try {
    const int over = require_enough_listed(owners, wants_all, call);
    Divided found = divide_and_locate(demands, owners, roles.flat, asker, call);
    call.check();
    if (roles.source_asks || read_from_any) return found;
    require_one_to_one(owners);
    if (over >= 0) refuse_beyond(over, "more indices than its size");
    return found;
  } catch (const InvalidArgument&) {  // on all of these ranks
    require_owners(owner);
    throw;
  }
}

/// Collective over `sides.comm`. Divides the request of this process among the ranks that own its
/// elements. `demand` has one element.
std::vector<Wanted> find_owners(const Sides& sides, const std::vector<Demand>& demand,
                                const std::vector<int>& wants_all, const Roles& roles,
                                bool read_from_any, Call& call) {
  const Side& owner = roles.source_asks ? sides.target : sides.source;
  if (sides.one_comm())
    return divide_among(owner, demand, roles, wants_all, read_from_any, call).boxes;
  call.check();
  const bool agent = owner.takes_part();
  const Clients clients = gather_clients(demand.front(), agent, call);
  auto found = call.relay([&] {
    if (!agent) return std::vector<std::vector<Wanted>>();
    Call within(*owner.comm, "redistribute");
    Divided divided = divide_among(owner, clients.demands, roles, wants_all, read_from_any, within);
    within.check();
    translate(divided.boxes, (*owner.comm)->mpi(), sides.comm->mpi());
    return std::move(divided).by_demand();
  });
  return return_to_clients(clients, std::move(found), agent, call);
}

std::vector<int> order_of(const Side& asker, bool flat) {
  if (flat || !asker.takes_part()) {
    std::vector<int> order(flat ? 1 : asker.outline.shape.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  return memory_order(asker.array().local_shape(), asker.array().byte_strides());
}

/// The local indices that the process owns along each dimension; with `flat`, of the array as one
/// dimension, whose owned elements are numbered from 0 if it has several.
std::vector<OwnedPart> parts_of(const Side& owner, bool flat) {
  const std::size_t ndim = owner.outline.shape.size();
  if (flat && ndim != 1) return {owner.takes_part() ? owner.array().owned_count() : 0};
  return owner.takes_part() ? owned_parts(owner.array()) : std::vector<OwnedPart>(ndim, 0);
}

/// Collective over `sides.comm`. What fails after the requests, the next check of the call tells.
Sharing share(const Sides& sides, const Roles& roles, bool read_from_any, Call& call) {
  const Side& asker = roles.source_asks ? sides.source : sides.target;
  const Side& owner = roles.source_asks ? sides.target : sides.source;
  std::vector<int> wants_all;
  const auto demand = call.attempt([&] {
    if (!roles.flat && !roles.source_asks) wants_all = listed_for_all(owner, asker);
    std::vector<Demand> one;
    one.push_back(own_demand(asker, roles.flat, roles.padding, owner.outline.shape.size()));
    return one;
  });
  auto wanted = find_owners(sides, demand, wants_all, roles, read_from_any, call);
  const std::vector<OwnedPart> owned = call.attempt([&] {
    const auto order = order_of(asker, roles.flat);
    for (Wanted& box : wanted) box.here.order = order;
    return parts_of(owner, roles.flat);
  });
  return ask_owners(wanted, owned, call);
}

/// Collective over `sides.comm`. The sharing, by the sources' requests, in which each element of
/// the target arrives exactly once.
Sharing once_each(Sharing sharing, const Sides& sides, bool read_from_any, Call& call) {
  const Side& target = sides.target;
  const bool here = target.takes_part();
  const Index first =
      here && target.array().ndim() == 1 ? target.array().dimension(0).owned_offset() : 0;
  const Index count = here ? target.array().owned_count() : 0;
  const Coverage coverage = coverage_of(sharing, first, count, call);
  if (coverage == Coverage::once) return sharing;
  if (coverage == Coverage::some_twice && read_from_any)
    return without_repeats(std::move(sharing), first, count, call);
  const auto require_source = [&] {
    if (sides.source.takes_part()) require_owners(sides.source);
  };
  if (sides.one_comm())
    require_source();
  else
    call.relay(require_source);
  if (coverage == Coverage::some_never)
    adapter::refuse_argument("redistribute.missing", "elements of the target that no source has",
                             "a source that has every element of the target");
  refuse_overlap(0);
}

}  // namespace

RedistributionPlan turned(RedistributionPlan plan) {
  plan.sharing = turned(std::move(plan.sharing));
  std::swap(plan.source_box, plan.target_box);
  return plan;
}

RedistributionPlan plan_redistribution(const Sides& sides, const RedistributionOptions& options,
                                       Call& call) {
  const Outline& source = sides.source.outline;
  const Outline& target = sides.target.outline;
  RedistributionPlan plan;
  const Roles roles = call.attempt([&] {
    const Roles chosen = roles_of(source, target, options);
    if (chosen.flat && source.shape.size() != 1 && sides.source.takes_part())
      plan.source_box = flat_box(sides.source.array(), false);
    if (chosen.flat && target.shape.size() != 1 && sides.target.takes_part())
      plan.target_box = flat_box(sides.target.array(), chosen.padding);
    return chosen;
  });
  plan.sharing = share(sides, roles, options.read_from_any, call);
  if (roles.source_asks)
    plan.sharing = once_each(turned(std::move(plan.sharing)), sides, options.read_from_any, call);
  plan.both_ways = !source.unstructured() && !target.unstructured() && !roles.padding;
  return plan;
}

}  // namespace daptor::detail
