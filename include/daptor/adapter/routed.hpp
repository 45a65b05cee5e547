// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"

/// \file
/// For authors of adapters: the messages of `Communicator::exchange` as lists of items. Items are
/// copied as bytes.

namespace daptor::adapter {

/// An item that is to be sent to a rank.
template <class T>
struct Routed {
  int rank;
  T item;
};

/// `count` items as the bytes of a message.
template <class T>
std::vector<std::byte> to_bytes(const T* items, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::byte> bytes(count * sizeof(T));
  if (count > 0) std::memcpy(bytes.data(), items, bytes.size());
  return bytes;
}

/// The items of a message.
template <class T>
std::vector<T> from_bytes(const std::vector<std::byte>& bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> items(bytes.size() / sizeof(T));
  if (!items.empty()) std::memcpy(items.data(), bytes.data(), items.size() * sizeof(T));
  return items;
}

/// The items of all messages, in the order of the messages.
template <class T>
std::vector<T> items_of(const std::vector<Message>& messages) {
  std::vector<T> all;
  for (const Message& message : messages) {
    const auto items = from_bytes<T>(message.bytes);
    all.insert(all.end(), items.begin(), items.end());
  }
  return all;
}

/// Packs the items of `routed`, which are sorted by rank, into messages, one for each rank. A rank
/// gets several messages only if a single one would be too long for a transport that counts bytes
/// in 32 bits.
template <class T>
std::vector<Message> to_messages(const std::vector<Routed<T>>& routed) {
  static_assert(std::is_trivially_copyable_v<T>);
  constexpr std::size_t limit = (std::size_t{1} << 28) / sizeof(T);
  std::vector<Message> messages;
  for (std::size_t begin = 0; begin < routed.size();) {
    const int rank = routed[begin].rank;
    std::size_t end = begin;
    while (end < routed.size() && end - begin < limit && routed[end].rank == rank) ++end;
    std::vector<std::byte> bytes((end - begin) * sizeof(T));
    for (std::byte* out = bytes.data(); begin < end; ++begin, out += sizeof(T))
      std::memcpy(out, &routed[begin].item, sizeof(T));
    messages.push_back({rank, std::move(bytes)});
  }
  return messages;
}

/// The same for items in any order. Those for one rank end up in any order.
template <class T>
std::vector<Message> sorted_messages(std::vector<Routed<T>> routed) {
  std::sort(routed.begin(), routed.end(),
            [](const auto& a, const auto& b) { return a.rank < b.rank; });
  return to_messages(routed);
}

}  // namespace daptor::adapter
