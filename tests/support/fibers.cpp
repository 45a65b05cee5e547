// SPDX-License-Identifier: BSD-3-Clause
#include "fibers.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "coroutines.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/detail/local_work.hpp"
#include "daptor/error.hpp"

namespace daptor::test {

Account* charged_account = nullptr;

namespace {

struct Call {
  enum Kind { allreduce, exclusive_sum, broadcast, exchange, meet } kind;
  std::int64_t count = 0;
  int variant = 0;  // the reduction, or the root
  void* data = nullptr;
  const std::vector<Message>* sent = nullptr;
  std::vector<Message>* received = nullptr;
};

/// A message on its way. Its `depth` is that of a rank that has just received it.
struct Packet {
  std::int64_t depth;
  std::vector<std::byte> bytes;
};

/// The time for which this thread has run; other load on the machine does not count.
struct Clock {
  using duration = std::chrono::nanoseconds;

  static duration now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }
};

struct Fiber {
  const Call* call = nullptr;
  bool queued = false;  // among the ranks that can go on
  std::string failure;
  std::multimap<int, Packet> inbox;  // by source, in the order of sending
  std::exception_ptr error;
  std::int64_t depth = 0;
  std::int64_t posted_depth = 0;  // of what was posted and received since
  Clock::duration busy{};
  Clock::duration busy_since{};
  Account* account = nullptr;
  void* local = nullptr;
};

/// The accounts of all worlds, reused by later ones. Never destroyed, because what a rank has
/// allocated may be freed after its world has ended.
Account* account_of(int rank) {
  static auto* const accounts = new std::deque<Account>;
  while (accounts->size() <= static_cast<std::size_t>(rank)) accounts->emplace_back();
  return &(*accounts)[static_cast<std::size_t>(rank)];
}

class World {
 public:
  World(int size, const std::function<void(const Comm&)>& body, MPI_Comm mpi)
      : body_(body),
        mpi_(mpi),
        fibers_(static_cast<std::size_t>(size)),
        coroutines_(size, [this](int rank) { run_rank(rank); }) {
    for (std::int64_t steps = 1; steps < size; steps *= 2) ++levels_;
  }

  int size() const { return static_cast<int>(fibers_.size()); }
  int current() const { return coroutines_.current(); }
  MPI_Comm mpi() const { return mpi_; }
  Fiber& fiber(int rank) { return fibers_[static_cast<std::size_t>(rank)]; }

  std::vector<std::exception_ptr> run();
  void collective(int rank, const Call& call);
  void send(int rank, int to, const void* data, std::size_t count);
  std::vector<std::byte> receive(int rank, int from);
  void wait(int rank);
  void wake(int rank);

 private:
  void run_rank(int rank);
  void fail_waiting();
  std::string perform();
  void synchronize(const Call& call);

  const std::function<void(const Comm&)>& body_;
  MPI_Comm mpi_;
  std::vector<Fiber> fibers_;
  Coroutines coroutines_;
  std::deque<int> ready_;  // ranks that can go on
  int arrived_ = 0;
  int levels_ = 0;  // ceil(log2 P)
};

thread_local World* active = nullptr;

/// What a Communicator sends comes after what was posted and received before.
void settle(Fiber& fiber) {
  fiber.depth = std::max(fiber.depth, fiber.posted_depth);
}

/// While it lives, the rank that called an operation neither computes nor allocates.
class InOperation {
 public:
  explicit InOperation(Fiber& fiber) : fiber_(fiber), charged_(charged_account) {
    fiber_.busy += Clock::now() - fiber_.busy_since;
    charged_account = nullptr;
  }
  InOperation(const InOperation&) = delete;
  InOperation& operator=(const InOperation&) = delete;
  ~InOperation() {
    charged_account = charged_;
    fiber_.busy_since = Clock::now();
  }

 private:
  Fiber& fiber_;
  Account* charged_;
};

class FiberCommunicator final : public Communicator {
 public:
  FiberCommunicator(World& world, int rank) : world_(world), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return world_.size(); }
  MPI_Comm mpi() const override {
    return world_.mpi() != MPI_COMM_NULL ? world_.mpi() : Communicator::mpi();
  }

  void allreduce(std::int64_t* values, int count, Reduction reduction) const override {
    Call call{Call::allreduce};
    call.count = count;
    call.variant = static_cast<int>(reduction);
    call.data = values;
    collective("allreduce", call);
  }
  std::int64_t exclusive_sum(std::int64_t value) const override {
    Call call{Call::exclusive_sum};
    call.data = &value;
    collective("exclusive_sum", call);
    return value;
  }
  void broadcast(void* data, std::size_t count, int root) const override {
    Call call{Call::broadcast};
    call.count = static_cast<std::int64_t>(count);
    call.variant = root;
    call.data = data;
    collective("broadcast", call);
  }
  void sendrecv(int to, const void* send, std::size_t sent, int from, void* receive,
                std::size_t received) const override {
    if (size() > 1) detail::require_no_local_work("sendrecv");
    if (to >= 0) world_.send(rank_, to, send, sent);
    if (from < 0) return;
    const auto bytes = world_.receive(rank_, from);
    if (bytes.size() != received)
      throw LibraryFailed(
          "fibers", "sendrecv",
          std::to_string(bytes.size()) + " bytes sent, " + std::to_string(received) + " received");
    if (received > 0) std::memcpy(receive, bytes.data(), received);
  }
  std::vector<Message> exchange(const std::vector<Message>& messages) const override {
    std::vector<Message> received;
    Call call{Call::exchange};
    call.sent = &messages;
    call.received = &received;
    collective("exchange", call);
    return received;
  }

 private:
  void collective(const char* name, const Call& call) const {
    if (size() > 1) detail::require_no_local_work(name);
    world_.collective(rank_, call);
  }

  World& world_;
  int rank_;
};

void World::run_rank(int rank) {
  Fiber& me = fiber(rank);
  const Comm comm(std::make_shared<const FiberCommunicator>(*this, rank));
  charged_account = me.account;
  me.busy_since = Clock::now();
  try {
    body_(comm);
  } catch (...) {
    me.error = std::current_exception();
  }
  charged_account = nullptr;
}

void World::wake(int rank) {
  if (coroutines_.finished(rank) || std::exchange(fiber(rank).queued, true)) return;
  ready_.push_back(rank);
}

void World::wait(int rank) {
  Fiber& me = fiber(rank);
  Account* const charged = std::exchange(charged_account, nullptr);
  coroutines_.pause();
  charged_account = charged;
  if (me.failure.empty()) return;
  throw LibraryFailed("fibers", "wait", std::exchange(me.failure, {}));
}

std::vector<std::exception_ptr> World::run() {
  World* const outer = std::exchange(active, this);
  Account* const charged = std::exchange(charged_account, nullptr);
  for (int rank = 0; rank < size(); ++rank) {
    fiber(rank).account = account_of(rank);
    *fiber(rank).account = {};
    wake(rank);
  }
  for (int left = size(); left > 0;) {
    if (ready_.empty()) fail_waiting();
    const int rank = ready_.front();
    ready_.pop_front();
    fiber(rank).queued = false;
    if (coroutines_.finished(rank)) continue;
    coroutines_.resume(rank);
    if (!coroutines_.finished(rank)) continue;
    --left;
    if (coroutines_.overflowed(rank))
      fiber(rank).error = std::make_exception_ptr(LibraryFailed(
          "fibers", "run_on_fibers",
          "a stack of " + std::to_string(coroutines_.stack_size()) + " bytes was too small"));
  }
  active = outer;
  charged_account = charged;
  std::vector<std::exception_ptr> errors;
  for (Fiber& fiber : fibers_) errors.push_back(std::exchange(fiber.error, nullptr));
  return errors;
}

void World::fail_waiting() {
  arrived_ = 0;
  for (int rank = 0; rank < size(); ++rank) {
    Fiber& each = fiber(rank);
    if (coroutines_.finished(rank)) continue;
    each.call = nullptr;
    each.failure = "every rank waits for another";
    wake(rank);
  }
}

void World::send(int rank, int to, const void* data, std::size_t count) {
  const InOperation operation(fiber(rank));
  settle(fiber(rank));
  const auto* bytes = static_cast<const std::byte*>(data);
  fiber(to).inbox.insert({rank, {fiber(rank).depth + 1, {bytes, bytes + count}}});
  if (fiber(to).call == nullptr) wake(to);
}

std::vector<std::byte> World::receive(int rank, int from) {
  Fiber& me = fiber(rank);
  const InOperation operation(me);
  settle(me);
  while (me.inbox.count(from) == 0) wait(rank);
  const auto first = me.inbox.lower_bound(from);
  Packet packet = std::move(first->second);
  me.inbox.erase(first);
  me.depth = std::max(me.depth, packet.depth);
  return std::move(packet.bytes);
}

void World::collective(int rank, const Call& call) {
  Fiber& me = fiber(rank);
  const InOperation operation(me);
  settle(me);
  me.call = &call;
  if (++arrived_ < size()) {
    while (me.call != nullptr) wait(rank);
    return;
  }
  arrived_ = 0;
  const std::string failure = perform();
  if (failure.empty()) synchronize(call);
  for (int other = 0; other < size(); ++other) {
    Fiber& each = fiber(other);
    each.call = nullptr;
    each.failure = failure;
    if (other != rank) wake(other);
  }
  if (failure.empty()) return;
  throw LibraryFailed("fibers", "collective", std::exchange(me.failure, {}));
}

/// Sets the depths after an operation of all ranks.
void World::synchronize(const Call& call) {
  if (call.kind == Call::meet) {
    for (Fiber& each : fibers_) {
      each.depth = each.posted_depth = 0;
      each.busy = {};
      each.account->most = each.account->held;
    }
    return;
  }
  if (call.kind == Call::broadcast) {
    const std::int64_t arrival = fiber(call.variant).depth + levels_;
    for (Fiber& each : fibers_) each.depth = std::max(each.depth, arrival);
    return;
  }
  std::int64_t last = 0;
  for (const Fiber& each : fibers_) {
    last = std::max(last, each.depth);
    if (call.kind == Call::exchange)
      for (const Message& message : *each.call->sent)
        if (message.rank != &each - fibers_.data())
          last = std::max(last, std::max(each.depth + 1, fiber(message.rank).depth) + 1);
  }
  for (Fiber& each : fibers_) each.depth = last + levels_;
}

std::int64_t combined(Reduction reduction, std::int64_t a, std::int64_t b) {
  if (reduction == Reduction::min) return std::min(a, b);
  if (reduction == Reduction::max) return std::max(a, b);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::string World::perform() {
  const Call& first = *fiber(0).call;
  for (const Fiber& each : fibers_)
    if (each.call->kind != first.kind || each.call->count != first.count ||
        each.call->variant != first.variant)
      return "ranks call different operations";
  const auto values = [](const Fiber& fiber) {
    return static_cast<std::int64_t*>(fiber.call->data);
  };
  const auto count = static_cast<std::size_t>(first.count);
  switch (first.kind) {
    case Call::meet:
      return {};
    case Call::allreduce: {
      std::vector<std::int64_t> result(values(fiber(0)), values(fiber(0)) + count);
      for (const Fiber& each : fibers_)
        if (&each != fibers_.data())
          for (std::size_t i = 0; i < count; ++i)
            result[i] = combined(static_cast<Reduction>(first.variant), result[i], values(each)[i]);
      for (const Fiber& each : fibers_) std::copy(result.begin(), result.end(), values(each));
      return {};
    }
    case Call::exclusive_sum: {
      std::int64_t sum = 0;
      for (const Fiber& each : fibers_)
        sum = combined(Reduction::sum, sum, std::exchange(*values(each), sum));
      return {};
    }
    case Call::broadcast: {
      const void* source = fiber(first.variant).call->data;
      for (const Fiber& each : fibers_)
        if (each.call->data != source && count > 0) std::memcpy(each.call->data, source, count);
      return {};
    }
    case Call::exchange:
      break;
  }
  for (int source = 0; source < size(); ++source)
    for (const Message& message : *fiber(source).call->sent)
      if (message.rank < 0 || message.rank >= size()) return "a message to no rank";
  for (int source = 0; source < size(); ++source)
    for (const Message& message : *fiber(source).call->sent) {
      Fiber& to = fiber(message.rank);
      charged_account = to.account;
      to.call->received->push_back({source, message.bytes});
    }
  charged_account = nullptr;
  return {};
}

}  // namespace

std::vector<std::exception_ptr> run_on_fibers(int ranks,
                                              const std::function<void(const Comm&)>& body,
                                              MPI_Comm mpi) {
  return World(ranks, body, mpi).run();
}

bool on_fiber() noexcept {
  return active != nullptr;
}

void meet() {
  active->collective(active->current(), {Call::meet});
}

FiberMeter meter() {
  const Fiber& me = active->fiber(active->current());
  const auto busy = me.busy + (Clock::now() - me.busy_since);
  return {std::max(me.depth, me.posted_depth), std::chrono::duration<double>(busy).count()};
}

Account account() {
  return *active->fiber(active->current()).account;
}

void*& fiber_local() {
  return active->fiber(active->current()).local;
}

void*& fiber_local(int rank) {
  return active->fiber(rank).local;
}

int fiber_rank() {
  return active->current();
}

std::int64_t depth_to_send_at() {
  return active->fiber(active->current()).depth;
}

void note_receipt(std::int64_t sent_depth) {
  std::int64_t& depth = active->fiber(active->current()).posted_depth;
  depth = std::max(depth, sent_depth + 1);
}

void sleep_fiber() {
  const int rank = active->current();
  const InOperation operation(active->fiber(rank));
  active->wait(rank);
}

void wake_fiber(int rank) {
  if (active->fiber(rank).call == nullptr) active->wake(rank);
}

}  // namespace daptor::test
