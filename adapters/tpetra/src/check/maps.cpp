// SPDX-License-Identifier: BSD-3-Clause
#include "maps.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <Teuchos_LabeledObject.hpp>
#include <Tpetra_Map.hpp>

#include "../export_map.hpp"
#include "../names.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/shared_index.hpp"
#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/check.hpp"

namespace daptor::tpetra {
namespace {

constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t words_of_one = 9;

std::vector<Index> indices_of(const Map& map) {
  std::vector<Index> indices(static_cast<std::size_t>(count_of(map)));
  for (std::size_t i = 0; i < indices.size(); ++i)
    indices[i] = global_of(map, static_cast<Index>(i));
  return indices;
}

/// Whether the indices of this rank are the run that begins at `first`.
bool is_run(const Map& map, Index first) {
  const Index count = count_of(map);
  if (count > 0 && map.isContiguous()) return global_of(map, 0) == first;
  for (Index i = 0; i < count; ++i)
    if (global_of(map, i) != first + i) return false;
  return true;
}

/// The unstructured dimension of the Map's indices, which lie in [first, stop).
Dimension unstructured_of(const Map& map, Index first, Index stop, const Comm& comm) {
  std::vector<Index> indices = indices_of(map);
  const Index shift = std::min<Index>(first, 0);
  for (Index& index : indices) index -= shift;
  return unstructured(stop - shift, {comm.size(), comm.rank()}, IndexList(std::move(indices)));
}

}  // namespace

Inspection::Inspection(const Map& map, adapter::Findings findings)
    : adapter::Inspection(Comm(communicator(map)), "tpetra::check",
                          [findings = std::move(findings)] {
                            require_trilinos();
                            return findings;
                          }) {}

adapter::Findings findings_about(const char* kind, const Teuchos::LabeledObject& object,
                                 const std::string& part) {
  const std::string label = object.getObjectLabel();
  const std::string of_part = part.empty() ? "" : ", " + part;
  return {kind + of_part, kind + (label.empty() ? "" : " '" + label + "'") + of_part};
}

Index global_of(const Map& map, Index local) {
  return static_cast<Index>(map.getGlobalElement(static_cast<Map::local_ordinal_type>(local)));
}

bool same_here(const Map& a, const Map& b) {
  if (&a == &b) return true;
  const Index count = count_of(a);
  if (count_of(b) != count) return false;
  for (Index i = 0; i < count; ++i)
    if (global_of(a, i) != global_of(b, i)) return false;
  return true;
}

bool on_processes_of(const Map& map, const Call& call) {
  return adapter::same_processes(communicator(map), call.comm()->original());
}

void MapChecks::add(const Teuchos::RCP<const Map>& map, MapDemand demand,
                    adapter::Findings findings, const Call& call) {
  const auto same = std::find_if(maps_.begin(), maps_.end(),
                                 [&](const One& one) { return one.map.get() == map.get(); });
  const auto earlier = static_cast<std::int64_t>(same - maps_.begin());
  const Index count = count_of(*map);
  const auto said = static_cast<std::int64_t>(map->getGlobalNumElements());
  const auto base = static_cast<std::int64_t>(map->getIndexBase());
  const bool fits = on_processes_of(*map, call);
  const Index first = count > 0 ? static_cast<Index>(map->getMinGlobalIndex()) : none;
  const Index minus_last = count > 0 ? ~static_cast<Index>(map->getMaxGlobalIndex()) : none;
  One one{map,
          demand,
          std::move(findings),
          {said, base, first, minus_last, map->isDistributed() ? 1 : 0, fits ? 1 : 0, 1, earlier,
           ~earlier}};
  if (same == maps_.end()) tell_repeated(one);
  if (!fits && same == maps_.end())
    one.findings.error("check.map.communicator",
                       "a Map on " +
                           adapter::counted(map->getComm()->getSize(), "process", "processes") +
                           " of another communicator",
                       "the processes of the object, in the same order",
                       "Make all Maps of an object on one communicator.");
  maps_.push_back(std::move(one));
}

void MapChecks::tell_repeated(One& one) const {
  if (one.map->isContiguous()) return;
  std::vector<Index> indices = indices_of(*one.map);
  if (!std::is_sorted(indices.begin(), indices.end())) std::sort(indices.begin(), indices.end());
  const auto twice = std::adjacent_find(indices.begin(), indices.end());
  if (twice == indices.end()) return;
  one.said.unique = 0;
  // Daptor's own Maps of periodic arrays repeat what padding reaches around.
  const MapRecord* const record = find_record(one.map);
  if (one.demand == MapDemand::any && record != nullptr && record->padded_rows) return;
  one.findings.add(one.demand == MapDemand::any ? Severity::warning : Severity::error,
                   "check.map.repeated",
                   "index " + std::to_string(*twice) + " twice in the list of this rank",
                   "each index at most once on a rank, where Tpetra finds one of them only",
                   "Remove repeated indices from the list before the Map is made of it.");
}

void MapChecks::compare(const Said& all, const Said& of_rank_0, std::int64_t count,
                        One& one) const {
  if (one.said.base != of_rank_0.base)
    one.findings.error("check.map.base",
                       "index base " + std::to_string(one.said.base) + ", where rank 0 has " +
                           std::to_string(of_rank_0.base),
                       "the same index base on all ranks", "Make the Map with one index base.");
  if (all.fits == 1 && all.distributed == 1 && one.said.count != count)
    one.findings.error("check.map.count",
                       "a global number of indices of " + std::to_string(one.said.count) +
                           ", where all ranks together have " + std::to_string(count),
                       "the sum over all ranks, which norms and solvers rely on",
                       "Let Tpetra add them up: pass " + names::invalid_count + ".");
}

bool MapChecks::must_prove(const Said& all, std::size_t place) const {
  const bool repeats_earlier =
      all.earlier == ~all.minus_earlier && all.earlier < static_cast<std::int64_t>(place);
  return maps_[place].demand == MapDemand::owned && !repeats_earlier && all.fits == 1 &&
         all.unique == 1 && all.distributed == 1 && all.first != none && ~all.minus_last != none;
}

void MapChecks::ask(Call& call) {
  static_assert(sizeof(Said) == words_of_one * sizeof(std::int64_t));
  const Comm& comm = call.comm();
  std::vector<Said> all, of_rank_0;
  std::vector<std::int64_t> counts, runs;
  for (const One& one : maps_) {
    all.push_back(one.said);
    counts.push_back(count_of(*one.map));
  }
  of_rank_0 = all;
  const auto maps = static_cast<int>(maps_.size());
  comm->allreduce(&all.front().count, maps * static_cast<int>(words_of_one), Reduction::min);
  comm->broadcast(of_rank_0.data(), of_rank_0.size() * sizeof(Said), 0);
  for (std::size_t m = 0; m < maps_.size(); ++m) {
    const Index start = comm->exclusive_sum(counts[m]);
    runs.push_back(is_run(*maps_[m].map, all[m].first + start) ? 1 : 0);
  }
  comm->allreduce(counts.data(), maps, Reduction::sum);
  comm->allreduce(runs.data(), maps, Reduction::min);
  for (std::size_t m = 0; m < maps_.size(); ++m) {
    One& one = maps_[m];
    // What is wrong with one Map is told once.
    if (one.said.earlier == static_cast<std::int64_t>(m))
      compare(all[m], of_rank_0[m], counts[m], one);
    if (runs[m] == 1 || !must_prove(all[m], m)) continue;
    const Index first = all[m].first, last = ~all[m].minus_last;
    one.shared = adapter::shared_index(
        call, [&] { return unstructured_of(*one.map, first, last + 1, call.comm()); });
    if (one.shared && !adapter::is_at_fault(*one.shared, comm.rank())) one.shared.reset();
    if (one.shared && first < 0) one.shared->found += ", counted from " + std::to_string(first);
  }
}

void MapChecks::tell(adapter::Findings& findings) const {
  for (const One& one : maps_) {
    adapter::Findings of_map = one.findings;
    if (one.shared)
      of_map.error("check.map.shared", one.shared->found,
                   "each index on one rank, as in every domain and range Map",
                   "Make a Map of the indices that each rank owns (" + names::one_to_one +
                       "), and use the Map that shares them for Imports and Exports only.");
    findings.take(of_map.report());
  }
}

Report detail::check_map(const Teuchos::RCP<const Map>& map, MapUse use) {
  if (map.is_null()) throw InvalidArgument("object", "a null RCP", "a Map");
  Inspection look(*map, findings_about("Map", *map));
  look.call().same("use", use);
  MapChecks maps;
  look.gather([&](const adapter::Findings& findings) {
    maps.add(map, use == MapUse::owned ? MapDemand::owned : MapDemand::any, findings, look.call());
  });
  return look.conclude(maps);
}

}  // namespace daptor::tpetra
