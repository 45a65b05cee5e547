// SPDX-License-Identifier: BSD-3-Clause
#include "proof/index_directory.hpp"

#include <algorithm>
#include <tuple>

#include "daptor/adapter/communicator.hpp"
#include "ranks/ask.hpp"
#include "ranks/crossing.hpp"
#include "ranks/hash.hpp"

namespace daptor::detail {

int IndexDirectory::keeper(Index global, int ranks) {
  return static_cast<int>(mix(static_cast<std::uint64_t>(global)) %
                          static_cast<std::uint64_t>(ranks));
}

/// Process-local. The entries in these messages, in order, with the lowest owner of each index.
std::vector<IndexDirectory::Entry> IndexDirectory::joined(const std::vector<Message>& messages) {
  auto entries = adapter::items_of<Entry>(messages);
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::make_tuple(a.global, a.owner.grid_rank, a.owner.owned_index) <
           std::make_tuple(b.global, b.owner.grid_rank, b.owner.owned_index);
  });
  const auto last = std::unique(entries.begin(), entries.end(),
                                [](const auto& a, const auto& b) { return a.global == b.global; });
  if (last != entries.end()) unique_ = false;
  entries.erase(last, entries.end());
  return entries;
}

void IndexDirectory::build(Call& call) {
  const auto mine = [&] {
    std::vector<adapter::Routed<Entry>> routed;
    routed.reserve(static_cast<std::size_t>(indices_.size()));
    for (Index i = 0; i < indices_.size(); ++i)
      routed.push_back({keeper(indices_[i], call.comm().size()), {indices_[i], {grid_rank_, i}}});
    return routed;
  };
  const auto received = send_to_keepers(call, mine, [&](const std::vector<Message>& messages) {
    std::vector<adapter::Routed<Entry>> routed;
    for (const Entry& entry : joined(messages))
      routed.push_back({keeper(entry.global, call.comm().size()), entry});
    return routed;
  });
  entries_ = call.check([&] {
    auto entries = joined(received);
    entries.shrink_to_fit();
    return entries;
  });
  built_ = true;
}

bool IndexDirectory::one_to_one(Call& call) {
  if (!built_) build(call);
  std::int64_t unique = unique_ ? 1 : 0;
  call.comm()->allreduce(&unique, 1, Reduction::min);
  return unique == 1;
}

std::vector<std::optional<OwnerAlong>> IndexDirectory::find(Call& call,
                                                            const std::vector<Index>& globals) {
  if (!built_) build(call);
  constexpr Index nobody = -1;
  const auto answers = ask<OwnerAlong>(
      call, [&] { return globals; },
      [&](Index global) { return keeper(global, call.comm().size()); },
      [&](Index global) {
        const auto at = std::partition_point(entries_.begin(), entries_.end(),
                                             [&](const Entry& e) { return e.global < global; });
        const bool known = at != entries_.end() && at->global == global;
        return known ? at->owner : OwnerAlong{nobody, 0};
      });
  return call.check([&] {
    std::vector<std::optional<OwnerAlong>> owners(answers.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (answers[i].grid_rank != nobody) owners[i] = answers[i];
    }
    return owners;
  });
}

}  // namespace daptor::detail
