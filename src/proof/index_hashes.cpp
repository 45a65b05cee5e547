// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "daptor/adapter/routed.hpp"
#include "daptor/call.hpp"
#include "proof/index_counts.hpp"
#include "ranks/crossing.hpp"
#include "ranks/hash.hpp"

namespace daptor::proof {
namespace {

/// An index, and whether several lists are known to have it.
struct Seen {
  Index index;
  std::int64_t twice;
};

/// Calls `visit(index, count)` for each different index of the messages, in order.
template <class Visit>
void for_each_different(const std::vector<Message>& messages, const Visit& visit) {
  auto here = adapter::items_of<Index>(messages);
  std::sort(here.begin(), here.end());
  for (auto at = here.begin(); at != here.end();) {
    const auto end = std::find_if(at, here.end(), [&](Index index) { return index != *at; });
    visit(*at, end - at);
    at = end;
  }
}

void count_seen(Census& census, Index index, bool twice) {
  ++census.distinct;
  if (!twice) return;
  ++census.duplicated;
  if (!census.lowest_twice) census.lowest_twice = index;
}

/// What the ranks between have seen.
Census census_of_seen(std::vector<Seen> all) {
  std::sort(all.begin(), all.end(), [](const Seen& a, const Seen& b) { return a.index < b.index; });
  Census census;
  for (auto at = all.begin(); at != all.end();) {
    const auto end =
        std::find_if(at, all.end(), [&](const Seen& s) { return s.index != at->index; });
    count_seen(census, at->index, end - at > 1 || at->twice != 0);
    at = end;
  }
  return census;
}

}  // namespace

// The hash is seeded differently each time, so that no list can be constructed to overload one
// rank.
Census count_hashes(const IndexList& indices, Index global_size, bool outside_only, Call& call) {
  const Comm& comm = call.comm();
  std::uint64_t seed = comm.rank() == 0 ? std::random_device{}() : 0;
  comm->broadcast(&seed, sizeof(seed), 0);
  const auto keeper = [&](Index index) {
    const std::uint64_t hash = detail::mix(static_cast<std::uint64_t>(index) ^ seed);
    return static_cast<int>(hash % static_cast<std::uint64_t>(comm.size()));
  };
  const auto mine = [&] {
    std::vector<adapter::Routed<Index>> routed;
    for (const Index index : indices)
      if (!outside_only || !inside(index, global_size)) routed.push_back({keeper(index), index});
    return routed;
  };
  const auto joined = [&](const std::vector<Message>& messages) {
    std::vector<adapter::Routed<Seen>> routed;
    for_each_different(messages, [&](Index index, std::ptrdiff_t count) {
      routed.push_back({keeper(index), {index, count > 1 ? 1 : 0}});
    });
    return routed;
  };
  const auto received = detail::send_to_keepers(call, mine, joined);
  return call.check([&] {
    if (detail::Crossing::used(comm.size()))
      return census_of_seen(adapter::items_of<Seen>(received));
    Census census;
    for_each_different(
        received, [&](Index index, std::ptrdiff_t count) { count_seen(census, index, count > 1); });
    return census;
  });
}

}  // namespace daptor::proof
