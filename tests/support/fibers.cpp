// SPDX-License-Identifier: BSD-3-Clause
#include "fibers.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <memory>

#include "ranks/simulated_world.hpp"

namespace daptor::test {

Account* charged_account = nullptr;

namespace {

using daptor::detail::SimulatedCall;
using daptor::detail::SimulatedWorld;

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
  std::int64_t depth = 0;
  std::int64_t posted_depth = 0;  // of what was posted and received since
  Clock::duration busy{};
  Clock::duration busy_since{};
  Account* account = nullptr;
  Account* charged = nullptr;  // outside of the operation in which the rank is
  std::map<int, std::deque<std::int64_t>> arriving;  // by source: depths of messages on their way
  void* local = nullptr;
};

/// The accounts of all worlds, reused by later ones. Never destroyed, because what a rank has
/// allocated may be freed after its world has ended.
Account* account_of(int rank) {
  static auto* const accounts = new std::deque<Account>;
  while (accounts->size() <= static_cast<std::size_t>(rank)) accounts->emplace_back();
  return &(*accounts)[static_cast<std::size_t>(rank)];
}

/// Measures the ranks of one world.
class Meters final : public daptor::detail::SimulationWatch {
 public:
  explicit Meters(int size) : fibers_(static_cast<std::size_t>(size)) {
    for (std::int64_t steps = 1; steps < size; steps *= 2) ++levels_;
    for (int rank = 0; rank < size; ++rank) {
      at(rank).account = account_of(rank);
      *at(rank).account = {};
    }
  }

  Fiber& at(int rank) { return fibers_[static_cast<std::size_t>(rank)]; }

  void begins(int rank) override {
    charged_account = at(rank).account;
    at(rank).busy_since = Clock::now();
  }
  void ends(int /*rank*/) override { charged_account = nullptr; }
  void enters(int rank) override {
    Fiber& me = at(rank);
    me.busy += Clock::now() - me.busy_since;
    me.charged = std::exchange(charged_account, nullptr);
  }
  void leaves(int rank) override {
    charged_account = at(rank).charged;
    at(rank).busy_since = Clock::now();
  }
  void sends(int rank, int to) override {
    settle(at(rank));
    at(to).arriving[rank].push_back(at(rank).depth + 1);
  }
  void receives(int rank, int from) override {
    auto& depths = at(rank).arriving[from];
    settle(at(rank));
    at(rank).depth = std::max(at(rank).depth, depths.front());
    depths.pop_front();
    if (depths.empty()) at(rank).arriving.erase(from);
  }
  void delivers(int rank) override { charged_account = rank < 0 ? nullptr : at(rank).account; }
  void performs(const std::vector<const SimulatedCall*>& calls) override;

 private:
  /// What a Communicator sends comes after what was posted and received before.
  static void settle(Fiber& fiber) { fiber.depth = std::max(fiber.depth, fiber.posted_depth); }

  std::vector<Fiber> fibers_;
  int levels_ = 0;  // ceil(log2 P)
};

/// Sets the depths after an operation of all ranks.
void Meters::performs(const std::vector<const SimulatedCall*>& calls) {
  const SimulatedCall& call = *calls.front();
  for (Fiber& each : fibers_) settle(each);
  if (call.operation == SimulatedCall::Operation::meet) {
    for (Fiber& each : fibers_) {
      each.depth = each.posted_depth = 0;
      each.busy = {};
      each.account->most = each.account->held;
    }
    return;
  }
  if (call.operation == SimulatedCall::Operation::broadcast) {
    const std::int64_t arrival = at(call.variant).depth + levels_;
    for (Fiber& each : fibers_) each.depth = std::max(each.depth, arrival);
    return;
  }
  std::int64_t last = 0;
  for (std::size_t rank = 0; rank < calls.size(); ++rank) {
    const std::int64_t depth = fibers_[rank].depth;
    last = std::max(last, depth);
    if (calls[rank]->sent == nullptr) continue;
    for (const Message& message : *calls[rank]->sent)
      if (message.rank != static_cast<int>(rank))
        last = std::max(last, std::max(depth + 1, at(message.rank).depth) + 1);
  }
  for (Fiber& each : fibers_) each.depth = last + levels_;
}

/// Of the world whose ranks run on this thread.
thread_local Meters* active = nullptr;

Fiber& me() {
  return active->at(fiber_rank());
}

}  // namespace

std::vector<std::exception_ptr> run_on_fibers(int ranks,
                                              const std::function<void(const Comm&)>& body,
                                              MPI_Comm mpi) {
  Meters meters(ranks);
  Meters* const outer = std::exchange(active, &meters);
  Account* const charged = std::exchange(charged_account, nullptr);
  auto ends = SimulatedWorld::run(std::make_shared<SimulatedWorld>(ranks, body, mpi, &meters));
  active = outer;
  charged_account = charged;
  std::vector<std::exception_ptr> errors;
  for (auto& end : ends) errors.push_back(std::move(end.error));
  return errors;
}

bool on_fiber() noexcept {
  return active != nullptr;
}

void meet() {
  SimulatedCall call;
  call.operation = SimulatedCall::Operation::meet;
  SimulatedWorld::active()->collective(fiber_rank(), call);
}

FiberMeter meter() {
  const auto busy = me().busy + (Clock::now() - me().busy_since);
  return {std::max(me().depth, me().posted_depth), std::chrono::duration<double>(busy).count()};
}

Account account() {
  return *me().account;
}

void*& fiber_local() {
  return me().local;
}

void*& fiber_local(int rank) {
  return active->at(rank).local;
}

int fiber_rank() {
  return SimulatedWorld::active()->current();
}

std::int64_t depth_to_send_at() {
  return me().depth;
}

void note_receipt(std::int64_t sent_depth) {
  me().posted_depth = std::max(me().posted_depth, sent_depth + 1);
}

void sleep_fiber() {
  SimulatedWorld::active()->sleep(fiber_rank());
}

void wake_fiber(int rank) {
  SimulatedWorld::active()->wake(rank);
}

}  // namespace daptor::test
