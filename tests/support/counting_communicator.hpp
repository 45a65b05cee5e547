// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "daptor/adapter/communicator.hpp"

namespace daptor::test {

/// What one rank has sent and received.
struct Traffic {
  int allreduces = 0;
  int broadcasts = 0;
  int exchanges = 0;
  int sendrecvs = 0;
  std::size_t collective_bytes = 0;    ///< bytes reduced or broadcast
  std::size_t longest_reduction = 0;   ///< in bytes
  std::size_t longest_collective = 0;  ///< in bytes
  std::int64_t messages = 0;           ///< to other ranks, including those of exchanges
  std::int64_t message_bytes = 0;      ///< bytes of those messages
  std::size_t longest_message = 0;     ///< in bytes
  std::int64_t received = 0;           ///< messages from other ranks
  std::int64_t received_bytes = 0;     ///< bytes of those messages
  std::size_t heaviest_exchange = 0;   ///< most bytes that this rank received in one exchange

  int collectives() const { return allreduces + broadcasts + exchanges; }
  int calls() const { return collectives() + sendrecvs; }

  void note_sent(std::size_t bytes) {
    ++messages;
    message_bytes += static_cast<std::int64_t>(bytes);
    longest_message = std::max(longest_message, bytes);
  }
  void note_received(std::size_t bytes) {
    ++received;
    received_bytes += static_cast<std::int64_t>(bytes);
    longest_message = std::max(longest_message, bytes);
  }
};

/// Passes every operation on, and counts it.
class CountingCommunicator final : public Communicator {
 public:
  explicit CountingCommunicator(const Comm& comm) : comm_(comm) {}

  /// A handle for calls; the communicator must outlive it.
  operator Comm() const {
    return Comm(std::shared_ptr<const Communicator>(std::shared_ptr<void>(), this));
  }

  int rank() const override { return comm_.rank(); }
  int size() const override { return comm_.size(); }
  void allreduce(std::int64_t* values, int count, Reduction reduction) const override {
    ++traffic.allreduces;
    const auto bytes = static_cast<std::size_t>(count) * sizeof(std::int64_t);
    note_collective(bytes);
    traffic.longest_reduction = std::max(traffic.longest_reduction, bytes);
    comm_->allreduce(values, count, reduction);
  }
  std::int64_t exclusive_sum(std::int64_t value) const override {
    ++traffic.allreduces;
    note_collective(sizeof value);
    return comm_->exclusive_sum(value);
  }
  void broadcast(void* data, std::size_t count, int root) const override {
    ++traffic.broadcasts;
    note_collective(count);
    comm_->broadcast(data, count, root);
  }
  void sendrecv(int to, const void* send, std::size_t sent, int from, void* receive,
                std::size_t received) const override {
    ++traffic.sendrecvs;
    if (to >= 0 && to != rank()) traffic.note_sent(sent);
    if (from >= 0 && from != rank()) traffic.note_received(received);
    comm_->sendrecv(to, send, sent, from, receive, received);
  }
  std::vector<Message> exchange(const std::vector<Message>& messages) const override {
    ++traffic.exchanges;
    for (const Message& message : messages)
      if (message.rank != rank()) traffic.note_sent(message.bytes.size());
    auto received = comm_->exchange(messages);
    std::size_t bytes = 0;
    for (const Message& message : received) {
      bytes += message.bytes.size();
      if (message.rank != rank()) traffic.note_received(message.bytes.size());
    }
    traffic.heaviest_exchange = std::max(traffic.heaviest_exchange, bytes);
    return received;
  }
  MPI_Comm mpi() const override { return comm_->mpi(); }
  MPI_Comm original() const override { return comm_->original(); }

  mutable Traffic traffic;

 private:
  void note_collective(std::size_t bytes) const {
    traffic.collective_bytes += bytes;
    traffic.longest_collective = std::max(traffic.longest_collective, bytes);
  }

  Comm comm_;
};

}  // namespace daptor::test
