// SPDX-License-Identifier: BSD-3-Clause
#include "fibers.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/detail/local_work.hpp"
#include "daptor/error.hpp"

#ifdef DAPTOR_ADDRESS_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

namespace daptor::test {

Account* charged_account = nullptr;

namespace {

/// Tell AddressSanitizer which stack is used from now on.
#ifdef DAPTOR_ADDRESS_SANITIZED
void start_switch(void** fake_stack, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(fake_stack, bottom, size);
}
void finish_switch(void* fake_stack, const void** bottom, std::size_t* size) {
  __sanitizer_finish_switch_fiber(fake_stack, bottom, size);
}
#else
void start_switch(void**, const void*, std::size_t) {}
void finish_switch(void*, const void**, std::size_t*) {}
#endif

/// Worlds up to this size have large stacks, which are kept for the next world.
constexpr int small_world = 1024;

/// Stacks next to each other in one mapping, of which only the pages that a rank touches take
/// memory. A guard page for each would be one mapping each, of which Linux allows 65530. Instead,
/// the last word of a stack must still be zero when its rank has returned.
class Stacks {
 public:
  Stacks(int count, std::size_t each) : count_(count), each_(each) {
    void* const memory =
        mmap(nullptr, static_cast<std::size_t>(count) * each, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<char*>(memory);
    // A huge page would hold many stacks.
    madvise(memory_, static_cast<std::size_t>(count) * each, MADV_NOHUGEPAGE);
  }
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks() { munmap(memory_, static_cast<std::size_t>(count_) * each_); }

  int count() const { return count_; }
  std::size_t each() const { return each_; }
  char* at(int rank) const { return memory_ + static_cast<std::size_t>(rank) * each_; }
  bool overflowed(int rank) const {
    std::uint64_t last = 0;
    std::memcpy(&last, at(rank), sizeof last);
    return last != 0;
  }

 private:
  int count_;
  std::size_t each_;
  char* memory_;
};

/// The stacks of small worlds are kept from one run to the next.
std::unique_ptr<Stacks>& spare_stacks() {
  thread_local std::unique_ptr<Stacks> spare;
  return spare;
}

std::unique_ptr<Stacks> stacks_for(int ranks) {
  if (ranks > small_world) return std::make_unique<Stacks>(ranks, std::size_t{256} * 1024);
  auto& spare = spare_stacks();
  if (spare != nullptr && spare->count() >= ranks) return std::move(spare);
  return std::make_unique<Stacks>(std::min(small_world, 2 * ranks), std::size_t{1024} * 1024);
}

/// What the C++ runtime keeps for each thread about current exceptions; here, for each fiber.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

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
  ucontext_t context;
  ExceptionState exceptions;
  void* fake_stack = nullptr;
  const Call* call = nullptr;
  bool queued = false;  // among the ranks that can go on
  bool finished = false;
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
      : body_(body), mpi_(mpi), stacks_(stacks_for(size)), fibers_(static_cast<std::size_t>(size)) {
    for (std::int64_t steps = 1; steps < size; steps *= 2) ++levels_;
  }
  ~World() {
    if (stacks_->count() <= small_world) spare_stacks() = std::move(stacks_);
  }

  int size() const { return static_cast<int>(fibers_.size()); }
  int current() const { return current_; }
  MPI_Comm mpi() const { return mpi_; }
  Fiber& fiber(int rank) { return fibers_[static_cast<std::size_t>(rank)]; }

  std::vector<std::exception_ptr> run();
  void collective(int rank, const Call& call);
  void send(int rank, int to, const void* data, std::size_t count);
  std::vector<std::byte> receive(int rank, int from);
  void wait(int rank);
  void wake(int rank);
  /// Where a fiber begins.
  void enter();

 private:
  void prepare(int rank);
  void resume(int rank);
  void pause(int rank);
  void fail_waiting();
  std::string perform();
  void synchronize(const Call& call);

  const std::function<void(const Comm&)>& body_;
  MPI_Comm mpi_;
  std::unique_ptr<Stacks> stacks_;
  std::vector<Fiber> fibers_;
  std::deque<int> ready_;  // ranks that can go on
  ucontext_t scheduler_;
  void* scheduler_fake_stack_ = nullptr;
  const void* scheduler_stack_ = nullptr;
  std::size_t scheduler_stack_size_ = 0;
  int current_ = 0;
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

void enter_fiber() {
  active->enter();
}

void swap_exceptions(ExceptionState& out, const ExceptionState& in) {
  auto* const globals = reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
  out = *globals;
  *globals = in;
}

void World::enter() {
  finish_switch(nullptr, &scheduler_stack_, &scheduler_stack_size_);
  const int rank = current_;
  Fiber& me = fiber(rank);
  {
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
  me.finished = true;
  start_switch(nullptr, scheduler_stack_, scheduler_stack_size_);
  setcontext(&scheduler_);
}

void World::prepare(int rank) {
  Fiber& fiber = this->fiber(rank);
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = stacks_->at(rank);
  fiber.context.uc_stack.ss_size = stacks_->each();
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, enter_fiber, 0);
  fiber.account = account_of(rank);
  *fiber.account = {};
  wake(rank);
}

void World::resume(int rank) {
  Fiber& next = fiber(rank);
  current_ = rank;
  ExceptionState mine;
  swap_exceptions(mine, next.exceptions);
  start_switch(&scheduler_fake_stack_, stacks_->at(rank), stacks_->each());
  swapcontext(&scheduler_, &next.context);
  finish_switch(scheduler_fake_stack_, nullptr, nullptr);
  swap_exceptions(next.exceptions, mine);
}

void World::pause(int rank) {
  Fiber& me = fiber(rank);
  start_switch(&me.fake_stack, scheduler_stack_, scheduler_stack_size_);
  swapcontext(&me.context, &scheduler_);
  finish_switch(me.fake_stack, &scheduler_stack_, &scheduler_stack_size_);
}

void World::wake(int rank) {
  if (fiber(rank).finished || std::exchange(fiber(rank).queued, true)) return;
  ready_.push_back(rank);
}

void World::wait(int rank) {
  Fiber& me = fiber(rank);
  Account* const charged = std::exchange(charged_account, nullptr);
  pause(rank);
  charged_account = charged;
  if (me.failure.empty()) return;
  throw LibraryFailed("fibers", "wait", std::exchange(me.failure, {}));
}

std::vector<std::exception_ptr> World::run() {
  World* const outer = std::exchange(active, this);
  Account* const charged = std::exchange(charged_account, nullptr);
  for (int rank = 0; rank < size(); ++rank) prepare(rank);
  for (int left = size(); left > 0;) {
    if (ready_.empty()) fail_waiting();
    const int rank = ready_.front();
    ready_.pop_front();
    fiber(rank).queued = false;
    if (fiber(rank).finished) continue;
    resume(rank);
    if (!fiber(rank).finished) continue;
    --left;
    if (stacks_->overflowed(rank))
      fiber(rank).error = std::make_exception_ptr(
          LibraryFailed("fibers", "run_on_fibers",
                        "a stack of " + std::to_string(stacks_->each()) + " bytes was too small"));
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
    if (each.finished) continue;
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
