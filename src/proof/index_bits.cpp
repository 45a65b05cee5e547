// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <vector>

#include "daptor/adapter/routed.hpp"
#include "daptor/call.hpp"
#include "proof/index_counts.hpp"

namespace daptor::proof {
namespace {

using Word = std::uint64_t;
constexpr std::size_t word_bits = 64;
using Words = std::vector<Word>;

Index ones(Word word) {
  return __builtin_popcountll(word);
}

/// The bits of [0, size), divided over the ranks in equal numbers of words.
struct Layout {
  std::size_t ranks;
  std::size_t words_a_rank;
};

Layout layout_of(Index global_size, int ranks) {
  const auto count = static_cast<std::size_t>(ranks);
  return {count, static_cast<std::size_t>(global_size) / word_bits / count + 1};
}

/// Sets the bits of a list and returns whether one of them was set before.
bool fill(Words& words, const IndexList& indices) {
  Word again = 0;
  for (const Index index : indices) {
    const auto bit = static_cast<std::size_t>(index);
    Word& word = words[bit / word_bits];
    const Word mask = Word{1} << (bit % word_bits);
    again |= word & mask;
    word |= mask;
  }
  return again != 0;
}

std::vector<Message> divide(const Words& words, const Layout& layout, int own_rank) {
  std::vector<Message> messages;
  for (std::size_t rank = 0; rank < layout.ranks; ++rank) {
    if (static_cast<int>(rank) == own_rank) continue;
    const Word* const first = words.data() + rank * layout.words_a_rank;
    const Word* const last = first + layout.words_a_rank;
    if (std::all_of(first, last, [](Word word) { return word == 0; })) continue;
    messages.push_back({static_cast<int>(rank), adapter::to_bytes(first, layout.words_a_rank)});
  }
  return messages;
}

/// Combines this rank's part of the bitmap with the words that the other ranks have for it.
Census merge(const Word* mine, const Layout& layout, int own_rank,
             const std::vector<Message>& received) {
  Words seen(mine, mine + layout.words_a_rank);
  Words twice(layout.words_a_rank);
  for (const Message& message : received) {
    const Words theirs = adapter::from_bytes<Word>(message.bytes);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      twice[i] |= seen[i] & theirs[i];
      seen[i] |= theirs[i];
    }
  }
  Census census;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    census.distinct += ones(seen[i]);
    if (twice[i] == 0) continue;
    census.duplicated += ones(twice[i]);
    if (census.lowest_twice) continue;
    const std::size_t word = static_cast<std::size_t>(own_rank) * layout.words_a_rank + i;
    census.lowest_twice = static_cast<Index>(word * word_bits) + __builtin_ctzll(twice[i]);
  }
  return census;
}

}  // namespace

Census count_bits(const IndexList& indices, Index global_size, bool& repeated, Call& call) {
  const Comm& comm = call.comm();
  const Layout layout = layout_of(global_size, comm.size());
  Words words;
  Agreed<bool> distinct;
  const auto sent = call.check([&] {
    words.resize(layout.words_a_rank * layout.ranks);
    distinct = call.all(!fill(words, indices));
    return divide(words, layout, comm.rank());
  });
  repeated = !distinct;
  const auto received = comm->exchange(sent);
  return call.check([&] {
    const auto offset = static_cast<std::size_t>(comm.rank()) * layout.words_a_rank;
    return merge(words.data() + offset, layout, comm.rank(), received);
  });
}

}  // namespace daptor::proof
