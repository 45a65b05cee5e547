// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <random>
#include <vector>

#include "communication/hash.hpp"
#include "daptor/adapter/routed.hpp"
#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "proof/index_counts.hpp"

namespace daptor::validation {

// The hash is seeded differently each time, so that no list can be constructed to overload one
// rank.
Census count_hashes(const IndexList& indices, Index global_size, bool outside_only,
                    const Comm& comm) {
  std::uint64_t seed = comm.rank() == 0 ? std::random_device{}() : 0;
  comm->broadcast(&seed, sizeof(seed), 0);
  const auto sent = agreed(comm, [&] {
    detail::fault_point("core.validate.index_hashes");
    std::vector<adapter::Routed<Index>> routed;
    const auto ranks = static_cast<std::uint64_t>(comm.size());
    for (const Index index : indices) {
      if (outside_only && inside(index, global_size)) continue;
      const std::uint64_t hash = detail::mix(static_cast<std::uint64_t>(index) ^ seed);
      routed.push_back({static_cast<int>(hash % ranks), index});
    }
    std::stable_sort(routed.begin(), routed.end(),
                     [](const auto& a, const auto& b) { return a.rank < b.rank; });
    return adapter::to_messages(routed);
  });
  const auto received = comm->exchange(sent);
  return agreed(comm, [&] {
    auto here = adapter::items_of<Index>(received);
    std::sort(here.begin(), here.end());
    Census census;
    for (auto at = here.begin(); at != here.end();) {
      const auto end = std::find_if(at, here.end(), [&](Index index) { return index != *at; });
      ++census.distinct;
      if (end - at > 1) {
        ++census.duplicated;
        if (!census.lowest_twice) census.lowest_twice = *at;
      }
      at = end;
    }
    return census;
  });
}

}  // namespace daptor::validation
