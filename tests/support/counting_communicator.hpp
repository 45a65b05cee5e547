// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "daptor/adapter/communicator.hpp"

namespace daptor::test {

/// What one rank has done.
struct Traffic {
  int allreduces = 0;
  int broadcasts = 0;
  int exchanges = 0;
  std::int64_t messages = 0;       ///< to other ranks, those of exchanges included
  std::int64_t message_bytes = 0;  ///< of those
  std::size_t longest_message = 0;
  std::size_t longest_reduction = 0;  ///< bytes

  int collectives() const { return allreduces + broadcasts + exchanges; }
};

/// Passes everything on, and counts it.
class CountingCommunicator final : public Communicator {
 public:
  CountingCommunicator(const Comm& comm, Traffic& traffic) : comm_(comm), traffic_(traffic) {}

  /// For calls with it, which must not outlive it.
  operator Comm() const {
    return Comm(std::shared_ptr<const Communicator>(std::shared_ptr<void>(), this));
  }

  int rank() const override { return comm_.rank(); }
  int size() const override { return comm_.size(); }
  void allreduce(std::int64_t* values, int count, Reduction reduction) const override {
    ++traffic_.allreduces;
    const auto bytes = static_cast<std::size_t>(count) * sizeof(std::int64_t);
    traffic_.longest_reduction = std::max(traffic_.longest_reduction, bytes);
    comm_->allreduce(values, count, reduction);
  }
  std::int64_t exclusive_sum(std::int64_t value) const override {
    ++traffic_.allreduces;
    return comm_->exclusive_sum(value);
  }
  void broadcast(void* data, std::size_t count, int root) const override {
    ++traffic_.broadcasts;
    comm_->broadcast(data, count, root);
  }
  void sendrecv(int to, const void* send, std::size_t sent, int from, void* receive,
                std::size_t received) const override {
    if (to >= 0) note(to, sent);
    comm_->sendrecv(to, send, sent, from, receive, received);
  }
  std::vector<Message> exchange(const std::vector<Message>& messages) const override {
    ++traffic_.exchanges;
    for (const Message& message : messages) note(message.rank, message.bytes.size());
    return comm_->exchange(messages);
  }

 private:
  void note(int to, std::size_t bytes) const {
    if (to == comm_.rank()) return;
    ++traffic_.messages;
    traffic_.message_bytes += static_cast<std::int64_t>(bytes);
    traffic_.longest_message = std::max(traffic_.longest_message, bytes);
  }

  Comm comm_;
  Traffic& traffic_;
};

}  // namespace daptor::test
