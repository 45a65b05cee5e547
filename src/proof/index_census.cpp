// SPDX-License-Identifier: BSD-3-Clause
#include "proof/index_census.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "proof/bitmap.hpp"
#include "proof/index_counts.hpp"
#include "ranks/crossing.hpp"

namespace daptor::proof {
namespace {

constexpr Index nothing = std::numeric_limits<Index>::max();
/// Runs are counted if the mean share of a rank has at least this many indices for each run.
constexpr Index indices_a_run = 16;
/// The bits of the whole range are filled if the range has at most this many bits for each index in
/// a rank's mean share.
constexpr Index whole_range_bits = 32;
/// A bitmap of the range costs at most this many bits for each index of all lists.
constexpr Index bits_per_index = 128;

/// Totals over the lists of all ranks.
struct Extent {
  Index count = 0;
  Index outside = 0;  ///< number of indices outside [0, global_size)
  Index runs = 0;     ///< number of runs of consecutive indices
};

Extent measure(const IndexList& indices, Index global_size, const Comm& comm) {
  const Index* const list = indices.data();
  const Index count = indices.size();
  Index words[] = {count, 0, count > 0 ? 1 : 0};
  for (Index i = 0; i < count; ++i) words[1] += inside(list[i], global_size) ? 0 : 1;
  for (Index i = 1; i < count; ++i) words[2] += follows(list[i], list[i - 1]) ? 0 : 1;
  comm->allreduce(words, 3, Reduction::sum);
  return {words[0], words[1], words[2]};
}

enum class Way { runs, bits, offsets, hashes };

Way choose(const Extent& all, Index global_size, Index ranks) {
  constexpr Index longest_part = Index{1} << 32;
  const Index share = all.count / ranks;
  if (all.outside == 0 && all.runs <= share / indices_a_run) return Way::runs;
  // The other ways send to the keepers directly, or have words for each rank.
  if (detail::Crossing::used(static_cast<int>(ranks))) return Way::hashes;
  if (all.outside == 0 && global_size / whole_range_bits <= share) return Way::bits;
  const bool dense = all.count > all.outside && global_size / bits_per_index <= all.count &&
                     global_size / ranks < longest_part;
  return dense ? Way::offsets : Way::hashes;
}

Census operator+(const Census& a, const Census& b) {
  Census sum{a.distinct + b.distinct, a.duplicated + b.duplicated, a.lowest_twice};
  if (b.lowest_twice)
    sum.lowest_twice = std::min(*b.lowest_twice, a.lowest_twice.value_or(*b.lowest_twice));
  return sum;
}

/// Collective. The sum of the parts of the census that the ranks keep.
Census sum(const Census& kept, const Comm& comm) {
  Index counts[] = {kept.distinct, kept.duplicated};
  comm->allreduce(counts, 2, Reduction::sum);
  Census total{counts[0], counts[1], std::nullopt};
  if (total.duplicated == 0) return total;
  Index lowest = kept.lowest_twice.value_or(nothing);
  comm->allreduce(&lowest, 1, Reduction::min);
  total.lowest_twice = lowest;
  return total;
}

/// Collective. Looks for an index that appears twice in one list.
Counted look_for_repeated(const IndexList& indices, Call& call) {
  Counted counted;
  Agreed<bool> distinct;
  call.check([&] {
    counted.repeated = lowest_repeated(indices);
    distinct = call.all(!counted.repeated);
  });
  if (distinct) counted.census.emplace();
  return counted;
}

}  // namespace

Counted count_indices(const IndexList& indices, Index global_size, Call& call) {
  const Comm& comm = call.comm();
  const Extent all = measure(indices, global_size, comm);
  Way way = choose(all, global_size, comm.size());
  Census kept;
  bool suspect = false;  // one list may have an index twice
  if (way == Way::runs) kept = count_runs(indices, global_size, call);
  if (way == Way::bits) kept = count_bits(indices, global_size, suspect, call);
  if (way == Way::offsets || way == Way::hashes) {
    Counted counted = look_for_repeated(indices, call);
    if (!counted.census) return counted;
    if (way == Way::offsets) {
      const auto offsets = count_offsets(indices, global_size, call);
      if (offsets)
        kept = *offsets;
      else
        way = Way::hashes;
    }
    if (way == Way::hashes || all.outside > 0)
      kept = kept + count_hashes(indices, global_size, way == Way::offsets, call);
  }
  const Census total = sum(kept, comm);
  if (way == Way::runs) suspect = total.duplicated > 0;
  if (suspect) {
    Counted counted = look_for_repeated(indices, call);
    if (!counted.census) return counted;
  }
  return {std::nullopt, total};
}

std::optional<Index> lowest_repeated(const IndexList& indices) {
  const Index* const begin = indices.begin();
  const Index* const end = indices.end();
  if (std::adjacent_find(begin, end, [](Index a, Index b) { return a >= b; }) == end)
    return std::nullopt;
  const auto [lowest, highest] = std::minmax_element(begin, end);
  const auto width = static_cast<std::uint64_t>(*highest) - static_cast<std::uint64_t>(*lowest);
  std::optional<Index> repeated;
  if (width / static_cast<std::uint64_t>(bits_per_index) <=
      static_cast<std::uint64_t>(indices.size())) {
    Bitmap seen(static_cast<Index>(width) + 1);
    for (const Index index : indices) {
      if (seen.set(static_cast<std::uint64_t>(index) - static_cast<std::uint64_t>(*lowest)))
        repeated = std::min(repeated.value_or(index), index);
    }
    return repeated;
  }
  std::vector<Index> sorted(begin, end);
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) repeated = *twice;
  return repeated;
}

}  // namespace daptor::proof
