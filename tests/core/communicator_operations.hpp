// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The operations that every communicator offers, checked over MPI and on simulated ranks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "daptor/adapter/communicator.hpp"

namespace daptor::test {

inline Message message(int rank, const std::string& text) {
  Message result{rank, std::vector<std::byte>(text.size())};
  if (!text.empty()) std::memcpy(result.bytes.data(), text.data(), text.size());
  return result;
}

inline std::string text_of(const Message& message) {
  return {reinterpret_cast<const char*>(message.bytes.data()), message.bytes.size()};
}

inline void check_reductions(const Comm& comm) {
  const std::int64_t rank = comm.rank();
  const std::int64_t size = comm.size();
  const std::int64_t big = std::int64_t{1} << 40;
  std::int64_t values[] = {rank, -rank, big + rank};
  comm->allreduce(values, 3, Reduction::min);
  EXPECT_EQ(values[0], 0);
  EXPECT_EQ(values[1], 1 - size);
  EXPECT_EQ(values[2], big);
  std::int64_t most[] = {rank, INT64_MIN + rank};
  comm->allreduce(most, 2, Reduction::max);
  EXPECT_EQ(most[0], size - 1);
  EXPECT_EQ(most[1], INT64_MIN + size - 1);
  std::int64_t sum = big * (rank + 1);
  comm->allreduce(&sum, 1, Reduction::sum);
  EXPECT_EQ(sum, big * size * (size + 1) / 2);
  comm->allreduce(nullptr, 0, Reduction::sum);
  EXPECT_EQ(comm->exclusive_sum(rank + 1), rank * (rank + 1) / 2);
  EXPECT_EQ(comm->exclusive_sum(-5), -5 * rank);
}

inline void check_broadcasts(const Comm& comm) {
  for (int root = 0; root < comm.size(); ++root) {
    std::vector<int> values(1000, comm.rank() == root ? root : -1);
    comm->broadcast(values.data(), values.size() * sizeof(int), root);
    EXPECT_EQ(std::count(values.begin(), values.end(), root), 1000);
  }
  comm->broadcast(nullptr, 0, 0);
}

/// Messages around a ring, each of another length, and along a line, whose ends have a neighbour on
/// one side only.
inline void check_sendrecvs(const Comm& comm) {
  const int rank = comm.rank();
  const int size = comm.size();
  for (int distance = 0; distance < std::min(size, 5); ++distance) {
    const int from = (rank - distance + size) % size;
    const std::vector<int> mine(static_cast<std::size_t>(rank * 1000), rank);
    std::vector<int> theirs(static_cast<std::size_t>(from * 1000), -1);
    comm->sendrecv((rank + distance) % size, mine.data(), mine.size() * sizeof(int), from,
                   theirs.data(), theirs.size() * sizeof(int));
    EXPECT_EQ(std::count(theirs.begin(), theirs.end(), from),
              static_cast<std::ptrdiff_t>(theirs.size()));
  }
  for (int i = 0; i < 50; ++i) {
    const int mine = 100 * rank + i;
    int below = -1;
    comm->sendrecv(rank + 1 < size ? rank + 1 : -1, &mine, sizeof(mine), rank - 1, &below,
                   sizeof(below));
    EXPECT_EQ(below, rank == 0 ? -1 : mine - 100) << "in the order in which they were sent";
  }
  comm->sendrecv(-1, nullptr, 0, -1, nullptr, 0);
}

inline void check_exchanges(const Comm& comm) {
  EXPECT_TRUE(comm->exchange({}).empty());
  const auto empty = comm->exchange({message(comm.rank(), ""), message(comm.rank(), "")});
  ASSERT_EQ(empty.size(), 2U) << "an empty message is a message";
  EXPECT_TRUE(empty[0].bytes.empty());
  for (int one = 0; one < comm.size(); ++one) {
    std::vector<Message> out;
    if (comm.rank() == one)
      for (int to = comm.size(); to-- > 0;) out.push_back(message(to, "from one"));
    const auto from_one = comm->exchange(out);
    ASSERT_EQ(from_one.size(), 1U);
    EXPECT_EQ(from_one[0].rank, one);
    const auto to_one = comm->exchange({message(one, std::to_string(comm.rank()))});
    ASSERT_EQ(to_one.size(), comm.rank() == one ? static_cast<std::size_t>(comm.size()) : 0U);
    for (std::size_t source = 0; source < to_one.size(); ++source) {
      EXPECT_EQ(to_one[source].rank, static_cast<int>(source)) << "in order of the source";
      EXPECT_EQ(text_of(to_one[source]), std::to_string(source));
    }
  }
  const int next = (comm.rank() + 1) % comm.size();
  std::vector<Message> out;
  for (int i = 0; i < 300; ++i)
    out.push_back(message(next, std::to_string(i) + std::string(i % 5 == 0 ? 20000 : 0, 'x')));
  const auto received = comm->exchange(out);
  ASSERT_EQ(received.size(), 300U);
  for (std::size_t i = 0; i < received.size(); ++i)
    EXPECT_EQ(text_of(received[i]), text_of(out[i])) << "those of one source in their order";
}

/// Several messages of each source to one rank, with an empty one to another rank between them; and
/// messages between ranks of the same parity only.
inline void check_exchanges_of_all(const Comm& comm) {
  const int size = comm.size();
  const int last = size - 1;
  const auto several = comm->exchange({message(0, "1"), message(last, ""), message(0, "2")});
  std::vector<std::string> texts, expected;
  std::vector<int> sources, senders;
  for (const Message& each : several) {
    texts.push_back(text_of(each));
    sources.push_back(each.rank);
  }
  for (int source = 0; source < size; ++source)
    for (const char* text : {"1", "", "2"})
      if (comm.rank() == (*text == 0 ? last : 0)) {
        expected.emplace_back(text);
        senders.push_back(source);
      }
  EXPECT_EQ(texts, expected);
  EXPECT_EQ(sources, senders);

  std::vector<Message> out;
  for (int to = size; to-- > 0;)
    if ((comm.rank() + to) % 2 == 0)
      out.push_back(message(to, std::to_string(comm.rank() * 1000 + to)));
  const auto received = comm->exchange(out);
  ASSERT_EQ(received.size(), static_cast<std::size_t>((size + 1 - comm.rank() % 2) / 2));
  int source = comm.rank() % 2;
  for (const Message& each : received) {
    EXPECT_EQ(each.rank, source);
    EXPECT_EQ(text_of(each), std::to_string(source * 1000 + comm.rank()));
    source += 2;
  }
}

/// Collective.
inline void check_operations(const Comm& comm) {
  check_reductions(comm);
  check_broadcasts(comm);
  check_sendrecvs(comm);
  check_exchanges(comm);
  check_exchanges_of_all(comm);
}

}  // namespace daptor::test
