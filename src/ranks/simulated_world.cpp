// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/simulated_world.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "daptor/detail/local_work.hpp"
#include "daptor/error.hpp"

namespace daptor::detail {
namespace {

using Operation = SimulatedCall::Operation;

/// Thrown on a rank whose operation can no longer happen, because another rank has left or is
/// waiting for something else. It is only a consequence.
class Abandoned : public LibraryFailed {
 public:
  using LibraryFailed::LibraryFailed;
};

const char* name_of(Operation operation) {
  constexpr const char* names[] = {"allreduce", "exclusive_sum", "broadcast", "exchange", "meet"};
  return names[static_cast<std::size_t>(operation)];
}

/// Sums wrap around, as in MPI.
std::int64_t add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t combine(Reduction reduction, std::int64_t a, std::int64_t b) {
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

class SimulatedCommunicator final : public Communicator {
 public:
  SimulatedCommunicator(std::shared_ptr<SimulatedWorld> world, int rank)
      : world_(std::move(world)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return world_->size(); }
  MPI_Comm mpi() const override {
    return world_->mpi() != MPI_COMM_NULL ? world_->mpi() : Communicator::mpi();
  }

  void allreduce(std::int64_t* values, int count, Reduction reduction) const override {
    SimulatedCall call;
    call.operation = Operation::allreduce;
    call.count = count;
    call.variant = static_cast<int>(reduction);
    call.data = values;
    world_->collective(rank_, call);
  }

  std::int64_t exclusive_sum(std::int64_t value) const override {
    SimulatedCall call;
    call.operation = Operation::exclusive_sum;
    call.data = &value;
    world_->collective(rank_, call);
    return value;
  }

  void broadcast(void* data, std::size_t count, int root) const override {
    SimulatedCall call;
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
    SimulatedCall call;
    call.operation = Operation::exchange;
    call.sent = &messages;
    call.received = &received;
    world_->collective(rank_, call);
    return received;
  }

 private:
  std::shared_ptr<SimulatedWorld> world_;
  int rank_;
};

thread_local SimulatedWorld* active_world = nullptr;

}  // namespace

/// The time that a rank spends in an operation of its communicator.
class SimulatedWorld::InOperation {
 public:
  InOperation(SimulationWatch* watch, int rank) : watch_(watch), rank_(rank) {
    if (watch_ != nullptr) watch_->enters(rank_);
  }
  InOperation(const InOperation&) = delete;
  InOperation& operator=(const InOperation&) = delete;
  ~InOperation() {
    if (watch_ != nullptr) watch_->leaves(rank_);
  }

 private:
  SimulationWatch* watch_;
  int rank_;
};

std::string SimulatedCall::text() const {
  return std::string(name_of(operation)) + " (count " + std::to_string(count) + ", variant " +
         std::to_string(variant) + ")";
}

SimulatedWorld::SimulatedWorld(int size, const std::function<void(const Comm&)>& body, MPI_Comm mpi,
                               SimulationWatch* watch)
    : body_(body),
      mpi_(mpi),
      watch_(watch),
      ranks_(static_cast<std::size_t>(size)),
      coroutines_(std::make_unique<Coroutines>(size, [this](int rank) { run_rank(rank); })) {}

SimulatedWorld* SimulatedWorld::active() noexcept {
  return active_world;
}

std::vector<SimulatedEnd> SimulatedWorld::run(const std::shared_ptr<SimulatedWorld>& world) {
  world->self_ = world;
  world->let_all_run();
  // A copy of a communicator may outlive its rank; it needs no stacks.
  world->coroutines_.reset();
  std::vector<SimulatedEnd> ends;
  for (Rank& rank : world->ranks_) ends.push_back(std::exchange(rank.result, {}));
  return ends;
}

/// Puts it in the place of what the thread keeps, and returns that.
SimulatedWorld::OnThread SimulatedWorld::OnThread::exchanged() const noexcept {
  return {std::exchange(active_world, active), exchange_local_work(local_work)};
}

void SimulatedWorld::resume(int rank) {
  const OnThread mine = at(rank).on_thread.exchanged();
  coroutines_->resume(rank);
  at(rank).on_thread = mine.exchanged();
}

void SimulatedWorld::let_all_run() {
  for (int rank = 0; rank < size(); ++rank) {
    at(rank).on_thread.active = this;
    ready_.push_back(rank);
  }
  for (int left = size(); left > 0;) {
    if (ready_.empty()) abandon();
    const int rank = ready_.front();
    ready_.pop_front();
    resume(rank);
    if (!coroutines_->finished(rank)) continue;
    --left;
    if (coroutines_->overflowed(rank))
      at(rank).result = {std::make_exception_ptr(LibraryFailed(
                             "simulated", "run_simulated",
                             "a stack of " + std::to_string(coroutines_->stack_size()) +
                                 " bytes was too small for a rank")),
                         true};
  }
}

void SimulatedWorld::run_rank(int rank) {
  Rank& me = at(rank);
  if (watch_ != nullptr) watch_->begins(rank);
  try {
    body_(Comm(std::make_shared<const SimulatedCommunicator>(self_.lock(), rank)));
  } catch (const Abandoned&) {
    me.result = {std::current_exception(), false};
  } catch (...) {
    me.result = {std::current_exception(), true};
  }
  if (watch_ != nullptr) watch_->ends(rank);
  me.end = me.result.error ? "threw" : "returned";
}

/// A copy of the communicator may exist after its rank has returned.
void SimulatedWorld::require_taking_part(const Rank& rank, const char* operation) {
  if (rank.end != nullptr)
    throw LibraryFailed("simulated", operation, "this rank has returned from run_simulated");
}

void SimulatedWorld::collective(int rank, const SimulatedCall& call) {
  if (size() > 1) require_no_local_work(name_of(call.operation));
  Rank& me = at(rank);
  require_taking_part(me, name_of(call.operation));
  const InOperation operation(watch_, rank);
  me.call = &call;
  me.pending = 1;
  if (++arrived_ == size()) {
    const std::string failure = perform();
    arrived_ = 0;
    for (int each = 0; each < size(); ++each) {
      at(each).failure = failure;
      complete(each);
    }
  }
  wait(rank, name_of(call.operation));
}

void SimulatedWorld::sendrecv(int rank, int to, const void* send, std::size_t sent, int from,
                              void* receive, std::size_t received) {
  if (size() > 1) require_no_local_work("sendrecv");
  if (to < -1 || to >= size() || from < -1 || from >= size())
    throw LibraryFailed(
        "simulated", "sendrecv",
        "rank " + std::to_string(to < -1 || to >= size() ? to : from) + ", which does not exist");
  Rank& me = at(rank);
  require_taking_part(me, "sendrecv");
  const InOperation operation(watch_, rank);
  me.pending = (to >= 0 ? 1 : 0) + (from >= 0 ? 1 : 0);
  me.from = from;
  me.receive = receive;
  me.receive_count = received;
  if (to >= 0) {
    if (watch_ != nullptr) watch_->sends(rank, to);
    at(to).inbox[rank].push_back({send, sent});
    deliver(to);
  }
  deliver(rank);
  wait(rank, "sendrecv");
}

void SimulatedWorld::sleep(int rank) {
  const InOperation operation(watch_, rank);
  Rank& me = at(rank);
  me.asleep = true;
  me.pending = 1;
  wait(rank, "sleep");
}

void SimulatedWorld::wake(int rank) {
  if (std::exchange(at(rank).asleep, false)) complete(rank);
}

void SimulatedWorld::complete(int rank) {
  Rank& done = at(rank);
  if (--done.pending > 0 || !done.blocked) return;
  done.blocked = false;
  ready_.push_back(rank);
}

void SimulatedWorld::wait(int rank, const char* operation) {
  Rank& me = at(rank);
  if (me.pending > 0) {
    me.blocked = true;
    coroutines_->pause();
  }
  const std::string failure = std::exchange(me.failure, {});
  const bool abandoned = std::exchange(me.abandoned, false);
  if (abandoned) throw Abandoned("simulated", operation, failure);
  if (!failure.empty()) throw LibraryFailed("simulated", operation, failure);
}

/// Fails all pending operations.
void SimulatedWorld::abandon() {
  const std::string failure = cause();
  arrived_ = 0;
  for (int rank = 0; rank < size(); ++rank) {
    Rank& each = at(rank);
    each.inbox.clear();
    each.from = -1;
    each.asleep = false;
    if (!each.blocked) continue;
    each.failure = failure;
    each.abandoned = true;
    each.pending = 1;
    complete(rank);
  }
}

std::string SimulatedWorld::cause() const {
  for (const char* end : {"threw", "returned"}) {
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (ranks_[r].end != nullptr && std::strcmp(ranks_[r].end, end) == 0)
        return "rank " + std::to_string(r) + " " + end + " and takes no part in the operation";
    }
  }
  return "every rank waits for another rank";
}

/// Hands over the first message that `rank` waits for, if it has been sent.
void SimulatedWorld::deliver(int rank) {
  Rank& receiver = at(rank);
  if (receiver.from < 0) return;
  const auto posts = receiver.inbox.find(receiver.from);
  if (posts == receiver.inbox.end()) return;
  const Post post = posts->second.front();
  posts->second.pop_front();
  if (posts->second.empty()) receiver.inbox.erase(posts);
  const int from = std::exchange(receiver.from, -1);
  Rank& sender = at(from);
  if (watch_ != nullptr) watch_->receives(rank, from);
  if (post.count == receiver.receive_count) {
    if (post.count > 0) std::memcpy(receiver.receive, post.data, post.count);
  } else {
    receiver.failure = sender.failure = std::to_string(post.count) + " bytes sent, " +
                                        std::to_string(receiver.receive_count) + " received";
  }
  complete(from);
  complete(rank);
}

/// An error text if the ranks have made different calls, otherwise empty.
std::string SimulatedWorld::different() const {
  const SimulatedCall& first = *ranks_.front().call;
  for (std::size_t r = 1; r < ranks_.size(); ++r) {
    const SimulatedCall& other = *ranks_[r].call;
    if (!other.matches(first))
      return "rank 0 calls " + first.text() + ", rank " + std::to_string(r) + " calls " +
             other.text();
  }
  return {};
}

/// Performs the operation that all ranks called; returns an error text, empty if there is no error.
std::string SimulatedWorld::perform() {
  std::string failure = different();
  if (!failure.empty()) return failure;
  try {
    switch (at(0).call->operation) {
      case Operation::allreduce:
        allreduce();
        break;
      case Operation::exclusive_sum:
        exclusive_sum();
        break;
      case Operation::broadcast:
        failure = broadcast();
        break;
      case Operation::exchange:
        failure = exchange();
        break;
      case Operation::meet:
        break;
    }
    if (watch_ == nullptr || !failure.empty()) return failure;
    std::vector<const SimulatedCall*> calls;
    for (const Rank& rank : ranks_) calls.push_back(rank.call);
    watch_->performs(calls);
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// Visits the stack of each rank twice, not twice for each value.
void SimulatedWorld::allreduce() {
  const auto reduction = static_cast<Reduction>(at(0).call->variant);
  const auto count = static_cast<std::size_t>(at(0).call->count);
  std::vector<std::int64_t> results(values(0), values(0) + count);
  for (int r = 1; r < size(); ++r)
    for (std::size_t i = 0; i < count; ++i)
      results[i] = combine(reduction, results[i], values(r)[i]);
  for (int r = 0; r < size(); ++r) std::copy(results.begin(), results.end(), values(r));
}

void SimulatedWorld::exclusive_sum() {
  std::int64_t sum = 0;
  for (int r = 0; r < size(); ++r) sum = add(sum, std::exchange(*values(r), sum));
}

std::string SimulatedWorld::broadcast() {
  const SimulatedCall& first = *at(0).call;
  if (first.variant < 0 || first.variant >= size())
    return "rank " + std::to_string(first.variant) + " does not exist";
  const void* source = at(first.variant).call->data;
  for (Rank& rank : ranks_) {
    if (rank.call->data != source && first.count > 0)
      std::memcpy(rank.call->data, source, static_cast<std::size_t>(first.count));
  }
  return {};
}

std::string SimulatedWorld::exchange() {
  for (const Rank& rank : ranks_)
    for (const Message& message : *rank.call->sent)
      if (message.rank < 0 || message.rank >= size())
        return "rank " + std::to_string(message.rank) + " does not exist";
  for (int source = 0; source < size(); ++source)
    for (const Message& message : *at(source).call->sent) {
      if (watch_ != nullptr) watch_->delivers(message.rank);
      at(message.rank).call->received->push_back({source, message.bytes});
    }
  if (watch_ != nullptr) watch_->delivers(-1);
  return {};
}

}  // namespace daptor::detail
