// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "proof/index_census.hpp"
#include "proof/index_directory.hpp"
#include "proof/walk.hpp"
#include "ranks/hash.hpp"
#include "report/rules/judged.hpp"

namespace daptor::proof {
namespace {

/// Makes a finding of level full; the rules of this level are the same in both versions.
Finding make(const char* rule, int dimension, const char* key, Terms found, Terms expected) {
  return detail::judged(rule, Version::Rules::v0_9, dimension, key, std::move(found),
                        std::move(expected));
}

/// Reports a breach of U04. In a list that says what it owns, the other element is a ghost, which
/// an exchange fills like any other.
void report_repeated(Index index, bool says_owned, int dimension, Report& report) {
  Terms found = "index " + terms::index(index) + " twice in the list of one process";
  Terms expected = "each index at most once on a process";
  report.add(says_owned ? detail::judged_mildly("U04", dimension, "indices", std::move(found),
                                                std::move(expected))
                        : make("U04", dimension, "indices", std::move(found), std::move(expected)));
}

/// Reports an index that one process owns twice.
void report_owned_twice(Index index, int dimension, Report& report) {
  report.add(make("owned.twice", dimension, "owned",
                  "index " + terms::index(index) + " owned twice by one process",
                  "one owner for each index, which has it once among what it owns"));
}

/// The different indices of a list.
IndexList without_repeats(const IndexList& indices) {
  std::vector<Index> distinct(indices.begin(), indices.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return IndexList(std::move(distinct));
}

/// Collective: messages between neighbours, if several processes should have the same list. Each
/// compares its list with that of the preceding process along each of the other dimensions (U12).
/// Returns the rank of a process with another list, or -1.
int rank_with_another_list(const Section& array, int dimension, const detail::Proven& proven,
                           const Comm& comm) {
  if (!detail::on_several_lines(array, dimension)) return -1;
  std::uint64_t hash = 0;
  const auto* list = array.dimension(dimension).as<Unstructured>();
  for (const Index index : list->indices) hash = detail::extend(hash, index);
  if (list->owned)
    list->owned->for_each_run(
        [&](IndexRange run) { hash = detail::extend(detail::extend(hash, run.start), run.stop); });
  int differing = -1;
  for (int along = 0; along < array.ndim(); ++along) {
    const GridPosition grid = array.dimension(along).grid();
    if (along == dimension || grid.size == 1) continue;
    const int from = proven.along[static_cast<std::size_t>(along)].below;
    const int to = proven.along[static_cast<std::size_t>(along)].above;
    std::uint64_t theirs = hash;
    comm->sendrecv(to, &hash, sizeof(hash), from, &theirs, sizeof(theirs));
    if (!grid.first() && theirs != hash) differing = from;
  }
  return differing;
}

bool has(const IndexList& indices, Index index) {
  return std::find(indices.begin(), indices.end(), index) != indices.end();
}

/// Judges rule U09.
void judge_one_to_one(const Census& census, const Unstructured& list, int dimension,
                      Report& report) {
  if (!list.one_to_one || census.duplicated == 0) return;
  const Index lowest = *census.lowest_twice;
  if (has(list.indices, lowest))
    report.add(make("U09", dimension, "indices",
                    "index " + terms::index(lowest) + " on several processes, the lowest of " +
                        std::to_string(census.duplicated),
                    "each index on exactly one process, as one_to_one says"));
}

/// Judges rule U11.
void judge_size(Index distinct, Index size, int dimension, Report& report) {
  if (distinct != size)
    report.add(make(
        "U11", dimension, "size",
        "size " + std::to_string(size) + ", but " + std::to_string(distinct) + " different indices",
        "size equal to the number of different indices"));
}

/// Collective. Judges the owned parts of the lists by owned.twice, owned.nobody and U11. `owned` is
/// the part that this rank counts, and `all` the census of the whole lists; if every ghost has an
/// owner, the owned parts have the same number of different indices.
void judge_owned(const Census& all, const Unstructured& list, const IndexList& owned, Index size,
                 int dimension, Call& call, Report& report) {
  const Counted counted = count_indices(owned, size, call);
  if (!counted.census) {
    if (counted.repeated)
      call.attempt([&] { report_owned_twice(*counted.repeated, dimension, report); });
    return;
  }
  const Census& census = *counted.census;
  const bool all_owned = census.distinct == all.distinct;
  std::vector<Index> ghosts;
  call.check([&] {
    if (!all_owned) ghosts = list.indices.at(list.owned->ghosts(list.indices.size()));
    if (census.duplicated > 0 && has(owned_indices(list), *census.lowest_twice))
      report.add(make("owned.twice", dimension, "owned",
                      "index " + terms::index(*census.lowest_twice) +
                          " owned by several processes, the lowest of " +
                          std::to_string(census.duplicated),
                      "one owner for each index, which other processes list as a ghost"));
    judge_size(census.distinct, size, dimension, report);
  });
  if (all_owned) return;
  detail::IndexDirectory directory(owned, 0);
  const auto owners = directory.find(call, ghosts);
  call.check([&] {
    for (std::size_t i = 0; i < ghosts.size(); ++i) {
      if (owners[i]) continue;
      report.add(make("owned.nobody", dimension, "indices",
                      "ghost " + std::to_string(ghosts[i]) + ", which no process owns",
                      "an owner for each ghost"));
      return;
    }
  });
}

/// Collective. Judges U04, U09, U11, U12 and the owned indices.
void judge_lists(const Section& array, int dimension, const detail::Proven& proven, Call& call,
                 Report& report) {
  const Dimension& described = array.dimension(dimension);
  const auto* list = described.as<Unstructured>();
  const Index size = described.global_size();
  const bool counts = detail::speaks(array, dimension);
  const int differing = rank_with_another_list(array, dimension, proven, call.comm());
  call.check([&] {
    if (differing >= 0) report.add(another_list(dimension, differing));
    if (!counts) find_repeated(*list, dimension, report);
  });
  IndexList counted_here = counts ? list->indices : IndexList{};
  Counted counted = count_indices(counted_here, size, call);
  const auto repeated = counted.repeated;
  if (!counted.census && list->owned) {
    counted_here = call.check([&] { return without_repeats(counted_here); });
    counted = count_indices(counted_here, size, call);
  }
  IndexList owned;
  call.check([&] {
    if (repeated) report_repeated(*repeated, list->owned.has_value(), dimension, report);
    if (!counted.census) return;
    judge_one_to_one(*counted.census, *list, dimension, report);
    if (!list->owned) return judge_size(counted.census->distinct, size, dimension, report);
    if (counts) owned = owned_indices(*list);
  });
  if (list->owned && counted.census)
    judge_owned(*counted.census, *list, owned, size, dimension, call, report);
}

}  // namespace

void find_repeated(const Unstructured& list, int dimension, Report& report) {
  const auto repeated = lowest_repeated(list.indices);
  if (!repeated) return;
  report_repeated(*repeated, list.owned.has_value(), dimension, report);
  if (!list.owned) return;
  if (const auto twice = lowest_repeated(owned_indices(list)))
    report_owned_twice(*twice, dimension, report);
}

Finding another_list(int dimension, int other_rank) {
  return make("U12", dimension, "indices",
              "a list that differs from that of rank " + std::to_string(other_rank),
              "the same indices in the same order on all processes with the same grid rank");
}

void require_lists(const Section& array, const Comm& comm) {
  const Report report = Walk(comm, {Level::full}).run_for_errors(array);
  if (!report) throw Malformed(report);
}

void require_same_lists(const Section& array, const Comm& comm) {
  const auto on_several = [&](int d) {
    return array.dimension(d).as<Unstructured>() != nullptr && detail::on_several_lines(array, d);
  };
  bool any = false;
  for (int d = 0; d < array.ndim(); ++d) any = any || on_several(d);
  if (!any) return;  // on all ranks
  const auto proven = Walk(comm, {Level::metadata}).prove(array);
  bool same_here = true;
  for (int d = 0; d < array.ndim(); ++d)
    if (on_several(d) && rank_with_another_list(array, d, *proven, comm) >= 0) same_here = false;
  Call call(comm, "require_same_lists");
  const auto same = call.all(same_here);
  call.check();
  if (!same) require_lists(array, comm);
}

void check_indices(const Section& array, const detail::Proven& proven, Call& call, Report& report) {
  for (int d = 0; d < array.ndim(); ++d)
    if (array.dimension(d).as<Unstructured>() != nullptr)
      judge_lists(array, d, proven, call, report);
}

}  // namespace daptor::proof
