// SPDX-License-Identifier: BSD-3-Clause
#include "cuts.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "daptor/adapter/routed.hpp"
#include "daptor/call.hpp"

namespace daptor::fft::detail {
namespace {

/// For each dimension the number of cuts, then the cuts.
std::vector<Index> flattened(const Cuts& cuts) {
  std::vector<Index> words;
  for (const auto& along : cuts) {
    words.push_back(static_cast<Index>(along.size()));
    words.insert(words.end(), along.begin(), along.end());
  }
  return words;
}

void merge(Cuts& cuts, const std::vector<Index>& words) {
  auto word = words.begin();
  for (auto& along : cuts) {
    const auto count = static_cast<std::ptrdiff_t>(*word++);
    std::vector<Index> united;
    std::set_union(along.begin(), along.end(), word, word + count, std::back_inserter(united));
    along = std::move(united);
    word += count;
  }
}

Cuts cuts_of(const Box& box) {
  Cuts cuts(box.shape.size());
  if (!box.empty())
    for (std::size_t d = 0; d < cuts.size(); ++d) cuts[d].push_back(box.lower[d]);
  return cuts;
}

}  // namespace

std::vector<Index> common_cuts(const Box& box, Call& call) {
  const Comm& comm = call.comm();
  Cuts cuts;
  std::vector<Message> received;
  const auto take_received = [&] {
    if (cuts.empty()) cuts = cuts_of(box);
    for (const Message& message : received) merge(cuts, adapter::from_bytes<Index>(message.bytes));
  };
  // A tree: in each round half of the ranks that still have cuts send them to another rank.
  for (int step = 1; step < comm.size(); step *= 2) {
    const auto outgoing = call.check([&] {
      take_received();
      std::vector<Message> messages;
      if (comm.rank() % (2 * step) == step) {
        const std::vector<Index> words = flattened(cuts);
        messages.push_back({comm.rank() - step, adapter::to_bytes(words.data(), words.size())});
      }
      return messages;
    });
    received = comm->exchange(outgoing);
  }
  std::vector<Index> words;
  Agreed<std::int64_t> count;
  call.check([&] {
    take_received();
    if (comm.rank() == 0) words = flattened(cuts);
    count = call.greatest(words.size());
  });
  call.check([&] { words.resize(static_cast<std::size_t>(count)); });
  comm->broadcast(words.data(), words.size() * sizeof(Index), 0);
  return words;
}

Cuts cuts_from(const std::vector<Index>& words, std::size_t ndim) {
  Cuts cuts(ndim);
  merge(cuts, words);
  return cuts;
}

}  // namespace daptor::fft::detail
