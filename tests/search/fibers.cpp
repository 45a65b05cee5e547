// SPDX-License-Identifier: BSD-3-Clause
#include "fibers.hpp"

#include <cxxabi.h>
#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/error.hpp"

#ifdef DAPTOR_ADDRESS_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

namespace daptor::search {
namespace {

constexpr std::size_t stack_bytes = std::size_t{1} << 20;

/// What the C++ runtime keeps for each thread about current exceptions; here, for each fiber.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

struct Call {
  enum Kind { allreduce, exclusive_sum, broadcast, exchange } kind;
  std::int64_t count = 0;
  int variant = 0;
  void* data = nullptr;
  const std::vector<Message>* sent = nullptr;
  std::vector<Message>* received = nullptr;
};

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack{new char[stack_bytes]};
  ExceptionState exceptions;
  void* fake_stack = nullptr;
  const Call* call = nullptr;
  bool waiting = false;
  bool finished = false;
  std::string failure;
  std::map<int, std::deque<std::vector<std::byte>>> inbox;
  std::exception_ptr error;
};

/// Stacks are expensive to make, so they are kept from one run to the next.
std::vector<std::unique_ptr<Fiber>>& spare_fibers() {
  thread_local std::vector<std::unique_ptr<Fiber>> spare;
  return spare;
}

class World {
 public:
  World(int size, const std::function<void(const Comm&)>& body) : body_(body) {
    auto& spare = spare_fibers();
    for (int r = 0; r < size; ++r) {
      if (spare.empty()) spare.push_back(std::make_unique<Fiber>());
      fibers_.push_back(std::move(spare.back()));
      spare.pop_back();
    }
  }
  ~World() {
    for (auto& fiber : fibers_) spare_fibers().push_back(std::move(fiber));
  }

  int size() const { return static_cast<int>(fibers_.size()); }
  Fiber& fiber(int rank) { return *fibers_[static_cast<std::size_t>(rank)]; }

  std::vector<std::exception_ptr> run();
  void collective(int rank, const Call& call);
  void send(int rank, int to, const void* data, std::size_t count) {
    const auto* bytes = static_cast<const std::byte*>(data);
    fiber(to).inbox[rank].emplace_back(bytes, bytes + count);
    fiber(to).waiting = false;
  }
  void receive(int rank, int from, void* data, std::size_t count);
  /// Where a fiber begins.
  void enter();

 private:
  void prepare(Fiber& fiber);
  void resume(int rank);
  void pause(int rank);
  void wait(int rank);
  bool fail_waiting();
  std::string perform();

  const std::function<void(const Comm&)>& body_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  ucontext_t scheduler_;
  void* scheduler_fake_stack_ = nullptr;
  const void* scheduler_stack_ = nullptr;
  std::size_t scheduler_stack_size_ = 0;
  int current_ = 0;
  int arrived_ = 0;
};

thread_local World* active = nullptr;

class FiberCommunicator final : public Communicator {
 public:
  FiberCommunicator(World& world, int rank) : world_(world), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return world_.size(); }

  void allreduce(std::int64_t* values, int count, Reduction reduction) const override {
    Call call{Call::allreduce};
    call.count = count;
    call.variant = static_cast<int>(reduction);
    call.data = values;
    world_.collective(rank_, call);
  }
  std::int64_t exclusive_sum(std::int64_t value) const override {
    Call call{Call::exclusive_sum};
    call.data = &value;
    world_.collective(rank_, call);
    return value;
  }
  void broadcast(void* data, std::size_t count, int root) const override {
    Call call{Call::broadcast};
    call.count = static_cast<std::int64_t>(count);
    call.variant = root;
    call.data = data;
    world_.collective(rank_, call);
  }
  void sendrecv(int to, const void* send, std::size_t sent, int from, void* receive,
                std::size_t received) const override {
    if (to >= 0) world_.send(rank_, to, send, sent);
    if (from >= 0) world_.receive(rank_, from, receive, received);
  }
  std::vector<Message> exchange(const std::vector<Message>& messages) const override {
    std::vector<Message> received;
    Call call{Call::exchange};
    call.sent = &messages;
    call.received = &received;
    world_.collective(rank_, call);
    return received;
  }

 private:
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
#ifdef DAPTOR_ADDRESS_SANITIZED
  __sanitizer_finish_switch_fiber(nullptr, &scheduler_stack_, &scheduler_stack_size_);
#endif
  const int rank = current_;
  {
    const Comm comm(std::make_shared<const FiberCommunicator>(*this, rank));
    try {
      body_(comm);
    } catch (...) {
      fiber(rank).error = std::current_exception();
    }
  }
  fiber(rank).finished = true;
#ifdef DAPTOR_ADDRESS_SANITIZED
  __sanitizer_start_switch_fiber(nullptr, scheduler_stack_, scheduler_stack_size_);
#endif
  setcontext(&scheduler_);
}

void World::prepare(Fiber& fiber) {
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.get();
  fiber.context.uc_stack.ss_size = stack_bytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, enter_fiber, 0);
  fiber.exceptions = {};
  fiber.fake_stack = nullptr;
  fiber.call = nullptr;
  fiber.waiting = fiber.finished = false;
  fiber.failure.clear();
  fiber.inbox.clear();
  fiber.error = nullptr;
}

void World::resume(int rank) {
  Fiber& next = fiber(rank);
  current_ = rank;
  ExceptionState mine;
  swap_exceptions(mine, next.exceptions);
#ifdef DAPTOR_ADDRESS_SANITIZED
  __sanitizer_start_switch_fiber(&scheduler_fake_stack_, next.stack.get(), stack_bytes);
#endif
  swapcontext(&scheduler_, &next.context);
#ifdef DAPTOR_ADDRESS_SANITIZED
  __sanitizer_finish_switch_fiber(scheduler_fake_stack_, nullptr, nullptr);
#endif
  swap_exceptions(next.exceptions, mine);
}

void World::pause(int rank) {
  Fiber& me = fiber(rank);
#ifdef DAPTOR_ADDRESS_SANITIZED
  __sanitizer_start_switch_fiber(&me.fake_stack, scheduler_stack_, scheduler_stack_size_);
#endif
  swapcontext(&me.context, &scheduler_);
#ifdef DAPTOR_ADDRESS_SANITIZED
  __sanitizer_finish_switch_fiber(me.fake_stack, &scheduler_stack_, &scheduler_stack_size_);
#endif
}

void World::wait(int rank) {
  Fiber& me = fiber(rank);
  me.waiting = true;
  pause(rank);
  if (me.failure.empty()) return;
  throw LibraryFailed("fibers", "wait", std::exchange(me.failure, {}));
}

std::vector<std::exception_ptr> World::run() {
  World* const outer = std::exchange(active, this);
  for (auto& fiber : fibers_) prepare(*fiber);
  for (;;) {
    bool all_finished = true;
    bool progress = false;
    for (int r = 0; r < size(); ++r) {
      if (fiber(r).finished) continue;
      all_finished = false;
      if (fiber(r).waiting) continue;
      progress = true;
      resume(r);
    }
    if (all_finished) break;
    if (!progress) fail_waiting();
  }
  active = outer;
  std::vector<std::exception_ptr> errors;
  for (auto& fiber : fibers_) errors.push_back(std::exchange(fiber->error, nullptr));
  return errors;
}

bool World::fail_waiting() {
  arrived_ = 0;
  for (auto& each : fibers_) {
    if (each->finished) continue;
    each->waiting = false;
    each->call = nullptr;
    each->failure = "every rank waits for another";
  }
  return true;
}

void World::receive(int rank, int from, void* data, std::size_t count) {
  auto& queue = fiber(rank).inbox[from];
  while (queue.empty()) wait(rank);
  const std::vector<std::byte> message = std::move(queue.front());
  queue.pop_front();
  if (message.size() != count)
    throw LibraryFailed(
        "fibers", "sendrecv",
        std::to_string(message.size()) + " bytes sent, " + std::to_string(count) + " received");
  if (count > 0) std::memcpy(data, message.data(), count);
}

void World::collective(int rank, const Call& call) {
  fiber(rank).call = &call;
  if (++arrived_ < size()) {
    while (fiber(rank).call != nullptr) wait(rank);
    return;
  }
  arrived_ = 0;
  const std::string failure = perform();
  for (auto& each : fibers_) {
    each->call = nullptr;
    each->waiting = false;
    each->failure = failure;
  }
  if (failure.empty()) return;
  throw LibraryFailed("fibers", "collective", std::exchange(fiber(rank).failure, {}));
}

std::int64_t add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::string World::perform() {
  const Call& first = *fiber(0).call;
  for (auto& each : fibers_)
    if (each->call->kind != first.kind || each->call->count != first.count ||
        each->call->variant != first.variant)
      return "ranks call different operations";
  const auto values = [](Fiber& fiber) { return static_cast<std::int64_t*>(fiber.call->data); };
  switch (first.kind) {
    case Call::allreduce:
      for (std::int64_t i = 0; i < first.count; ++i) {
        std::int64_t result = values(fiber(0))[i];
        for (int r = 1; r < size(); ++r) {
          const std::int64_t other = values(fiber(r))[i];
          const auto reduction = static_cast<Reduction>(first.variant);
          result = reduction == Reduction::min   ? std::min(result, other)
                   : reduction == Reduction::max ? std::max(result, other)
                                                 : add(result, other);
        }
        for (auto& each : fibers_) values(*each)[i] = result;
      }
      return {};
    case Call::exclusive_sum: {
      std::int64_t sum = 0;
      for (auto& each : fibers_) sum = add(sum, std::exchange(*values(*each), sum));
      return {};
    }
    case Call::broadcast: {
      const void* source = fiber(first.variant).call->data;
      for (auto& each : fibers_)
        if (each->call->data != source && first.count > 0)
          std::memcpy(each->call->data, source, static_cast<std::size_t>(first.count));
      return {};
    }
    case Call::exchange:
      break;
  }
  for (int source = 0; source < size(); ++source)
    for (const Message& message : *fiber(source).call->sent) {
      if (message.rank < 0 || message.rank >= size()) return "a message to no rank";
      fiber(message.rank).call->received->push_back({source, message.bytes});
    }
  return {};
}

}  // namespace

std::vector<std::exception_ptr> run_on_fibers(int ranks,
                                              const std::function<void(const Comm&)>& body) {
  return World(ranks, body).run();
}

}  // namespace daptor::search
