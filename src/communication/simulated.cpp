// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/simulated.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/detail/local_work.hpp"
#include "daptor/error.hpp"

namespace daptor {
namespace {

/// Thrown on a rank whose operation can no longer happen, because another rank has left or is
/// waiting for something else. Since it is only a consequence, run_simulated reports it only if
/// there is no cause.
class Abandoned : public LibraryFailed {
 public:
  using LibraryFailed::LibraryFailed;
};

enum class Operation { allreduce, exclusive_sum, broadcast, exchange };

const char* name_of(Operation operation) {
  constexpr const char* names[] = {"allreduce", "exclusive_sum", "broadcast", "exchange"};
  return names[static_cast<std::size_t>(operation)];
}

/// The part of one rank in an operation of all ranks.
struct Call {
  Operation operation = Operation::allreduce;
  std::int64_t count = 0;
  int variant = 0;  // the reduction, or the root
  void* data = nullptr;
  const std::vector<Message>* sent = nullptr;
  std::vector<Message>* received = nullptr;

  bool matches(const Call& other) const {
    return operation == other.operation && count == other.count && variant == other.variant;
  }
  std::string text() const {
    return std::string(name_of(operation)) + " (count " + std::to_string(count) + ", variant " +
           std::to_string(variant) + ")";
  }
};

/// The state that all ranks share. A waiting rank is blocked until no part of its operation is
/// pending, and the rank that completes the last part wakes it. If every rank that still runs is
/// blocked, none of the operations can happen any more, and all of them fail. Whether that state is
/// reached does not depend on the timing of the threads.
class World {
 public:
  explicit World(int size) : ranks_(static_cast<std::size_t>(size)), running_(size) {}

  int size() const { return static_cast<int>(ranks_.size()); }

  void collective(int rank, const Call& call) {
    if (size() > 1) detail::require_no_local_work(name_of(call.operation));
    std::unique_lock<std::mutex> lock(mutex_);
    Rank& me = at(rank);
    require_taking_part(me, name_of(call.operation));
    me.call = &call;
    me.pending = 1;
    if (++arrived_ == size()) {
      const std::string failure = perform();
      arrived_ = 0;
      for (Rank& each : ranks_) {
        each.failure = failure;
        complete(each);
      }
    }
    wait(lock, me, name_of(call.operation));
  }

  /// A rendezvous: the sender also waits until its message has been received, as it may do in MPI.
  void sendrecv(int rank, int to, const void* send, std::size_t sent, int from, void* receive,
                std::size_t received) {
    if (size() > 1) detail::require_no_local_work("sendrecv");
    if (to < -1 || to >= size() || from < -1 || from >= size())
      throw LibraryFailed(
          "simulated", "sendrecv",
          "rank " + std::to_string(to < -1 || to >= size() ? to : from) + ", which does not exist");
    std::unique_lock<std::mutex> lock(mutex_);
    Rank& me = at(rank);
    require_taking_part(me, "sendrecv");
    me.pending = (to >= 0 ? 1 : 0) + (from >= 0 ? 1 : 0);
    me.from = from;
    me.receive = receive;
    me.receive_count = received;
    if (to >= 0) {
      at(to).inbox[rank].push_back({send, sent});
      deliver(to);
    }
    deliver(rank);
    wait(lock, me, "sendrecv");
  }

  void leave(int rank, bool threw) {
    const std::lock_guard<std::mutex> lock(mutex_);
    at(rank).end = threw ? "threw" : "returned";
    if (--running_ == 0) abandon();
  }

 private:
  struct Post {
    const void* data;
    std::size_t count;
  };
  struct Rank {
    std::condition_variable wake;
    int pending = 0;  // number of parts of the operation that have not happened yet
    bool blocked = false;
    bool abandoned = false;
    std::string failure;
    const char* end = nullptr;
    const Call* call = nullptr;
    int from = -1;  // rank whose message it waits for
    void* receive = nullptr;
    std::size_t receive_count = 0;
    std::map<int, std::deque<Post>> inbox;  // by source rank
  };

  /// A copy of the communicator may exist after its rank has returned.
  static void require_taking_part(const Rank& rank, const char* operation) {
    if (rank.end != nullptr)
      throw LibraryFailed("simulated", operation, "this rank has returned from run_simulated");
  }

  Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

  void complete(Rank& rank) {
    if (--rank.pending > 0 || !rank.blocked) return;
    rank.blocked = false;
    ++running_;
    rank.wake.notify_one();
  }

  void wait(std::unique_lock<std::mutex>& lock, Rank& me, const char* operation) {
    if (me.pending > 0) {
      me.blocked = true;
      if (--running_ == 0) abandon();
      me.wake.wait(lock, [&] { return !me.blocked; });
    }
    const std::string failure = std::exchange(me.failure, {});
    const bool abandoned = std::exchange(me.abandoned, false);
    if (abandoned) throw Abandoned("simulated", operation, failure);
    if (!failure.empty()) throw LibraryFailed("simulated", operation, failure);
  }

  /// Fails all pending operations.
  void abandon() {
    const std::string failure = cause();
    arrived_ = 0;
    for (Rank& rank : ranks_) {
      rank.inbox.clear();
      rank.from = -1;
      if (!rank.blocked) continue;
      rank.failure = failure;
      rank.abandoned = true;
      rank.pending = 1;
      complete(rank);
    }
  }

  std::string cause() const {
    for (const char* end : {"threw", "returned"}) {
      for (std::size_t r = 0; r < ranks_.size(); ++r) {
        if (ranks_[r].end != nullptr && std::strcmp(ranks_[r].end, end) == 0)
          return "rank " + std::to_string(r) + " " + end + " and takes no part in the operation";
      }
    }
    return "every rank waits for another rank";
  }

  /// Hands over the first message that `rank` waits for, if it has been sent.
  void deliver(int rank) {
    Rank& receiver = at(rank);
    if (receiver.from < 0) return;
    std::deque<Post>& posts = receiver.inbox[receiver.from];
    if (posts.empty()) return;
    const Post post = posts.front();
    posts.pop_front();
    Rank& sender = at(std::exchange(receiver.from, -1));
    if (post.count == receiver.receive_count) {
      if (post.count > 0) std::memcpy(receiver.receive, post.data, post.count);
    } else {
      receiver.failure = sender.failure = std::to_string(post.count) + " bytes sent, " +
                                          std::to_string(receiver.receive_count) + " received";
    }
    complete(sender);
    complete(receiver);
  }

  /// Performs the operation that all ranks called; returns an error text, empty if there is no
  /// error.
  std::string perform() {
    for (std::size_t r = 1; r < ranks_.size(); ++r) {
      if (!ranks_[r].call->matches(*ranks_[0].call))
        return "rank 0 calls " + ranks_[0].call->text() + ", rank " + std::to_string(r) +
               " calls " + ranks_[r].call->text();
    }
    try {
      switch (ranks_[0].call->operation) {
        case Operation::allreduce:
          allreduce();
          return {};
        case Operation::exclusive_sum:
          exclusive_sum();
          return {};
        case Operation::broadcast:
          return broadcast();
        case Operation::exchange:
          break;
      }
      return exchange();
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  std::int64_t* values(Rank& rank) { return static_cast<std::int64_t*>(rank.call->data); }

  /// Sums wrap around, as in MPI.
  static std::int64_t add(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }

  static std::int64_t combine(Reduction reduction, std::int64_t a, std::int64_t b) {
    switch (reduction) {
      case Reduction::min:
        return std::min(a, b);
      case Reduction::max:
        return std::max(a, b);
      case Reduction::sum:
        break;
    }
    return add(a, b);
  }

  void allreduce() {
    const auto reduction = static_cast<Reduction>(ranks_[0].call->variant);
    for (std::int64_t i = 0; i < ranks_[0].call->count; ++i) {
      std::int64_t result = values(ranks_[0])[i];
      for (std::size_t r = 1; r < ranks_.size(); ++r)
        result = combine(reduction, result, values(ranks_[r])[i]);
      for (Rank& rank : ranks_) values(rank)[i] = result;
    }
  }

  void exclusive_sum() {
    std::int64_t sum = 0;
    for (Rank& rank : ranks_) sum = add(sum, std::exchange(*values(rank), sum));
  }

  std::string broadcast() {
    const Call& first = *ranks_[0].call;
    if (first.variant < 0 || first.variant >= size())
      return "rank " + std::to_string(first.variant) + " does not exist";
    const void* source = at(first.variant).call->data;
    for (Rank& rank : ranks_) {
      if (rank.call->data != source && first.count > 0)
        std::memcpy(rank.call->data, source, static_cast<std::size_t>(first.count));
    }
    return {};
  }

  std::string exchange() {
    for (std::size_t source = 0; source < ranks_.size(); ++source) {
      for (const Message& message : *ranks_[source].call->sent) {
        if (message.rank < 0 || message.rank >= size())
          return "rank " + std::to_string(message.rank) + " does not exist";
        at(message.rank).call->received->push_back({static_cast<int>(source), message.bytes});
      }
    }
    return {};
  }

  std::mutex mutex_;
  std::vector<Rank> ranks_;
  int running_;
  int arrived_ = 0;
};

class SimulatedCommunicator final : public Communicator {
 public:
  SimulatedCommunicator(std::shared_ptr<World> world, int rank)
      : world_(std::move(world)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return world_->size(); }

  void allreduce(std::int64_t* values, int count, Reduction reduction) const override {
    Call call;
    call.operation = Operation::allreduce;
    call.count = count;
    call.variant = static_cast<int>(reduction);
    call.data = values;
    world_->collective(rank_, call);
  }

  std::int64_t exclusive_sum(std::int64_t value) const override {
    Call call;
    call.operation = Operation::exclusive_sum;
    call.data = &value;
    world_->collective(rank_, call);
    return value;
  }

  void broadcast(void* data, std::size_t count, int root) const override {
    Call call;
    call.operation = Operation::broadcast;
    call.count = static_cast<std::int64_t>(count);
    call.variant = root;
    call.data = data;
    world_->collective(rank_, call);
  }

  void sendrecv(int to, const void* send, std::size_t sent, int from, void* receive,
                std::size_t received) const override {
    world_->sendrecv(rank_, to, send, sent, from, receive, received);
  }

  std::vector<Message> exchange(const std::vector<Message>& messages) const override {
    std::vector<Message> received;
    Call call;
    call.operation = Operation::exchange;
    call.sent = &messages;
    call.received = &received;
    world_->collective(rank_, call);
    return received;
  }

 private:
  std::shared_ptr<World> world_;
  int rank_;
};

/// How a rank ended.
struct Outcome {
  std::exception_ptr error;
  bool cause = false;  // false if it failed only because it could not continue without the others
};

void run_rank(const std::shared_ptr<World>& world, int rank,
              const std::function<void(const Comm&)>& body, Outcome& outcome) {
  try {
    body(Comm(std::make_shared<const SimulatedCommunicator>(world, rank)));
  } catch (const Abandoned&) {
    outcome = {std::current_exception(), false};
  } catch (...) {
    outcome = {std::current_exception(), true};
  }
  world->leave(rank, outcome.error != nullptr);
}

void rethrow_first(const std::vector<Outcome>& outcomes) {
  for (const bool cause : {true, false}) {
    for (const Outcome& outcome : outcomes) {
      if (outcome.error && outcome.cause == cause) std::rethrow_exception(outcome.error);
    }
  }
}

}  // namespace

void run_simulated(int ranks, const std::function<void(const Comm&)>& body) {
  if (ranks < 1) throw InvalidArgument("ranks", std::to_string(ranks), "one or more");
  const auto world = std::make_shared<World>(ranks);
  std::vector<Outcome> outcomes(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  threads.reserve(outcomes.size());
  for (int rank = 0; rank < ranks; ++rank) {
    Outcome& outcome = outcomes[static_cast<std::size_t>(rank)];
    try {
      threads.emplace_back(
          [world, rank, &body, &outcome] { run_rank(world, rank, body, outcome); });
    } catch (const std::system_error& error) {
      outcome = {std::make_exception_ptr(LibraryFailed("simulated", "std::thread", error.what())),
                 true};
      world->leave(rank, true);
    }
  }
  for (std::thread& thread : threads) thread.join();
  rethrow_first(outcomes);
}

}  // namespace daptor
