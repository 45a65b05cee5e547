// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks of collective calls in which one allocation of one rank fails. Replaces `operator new` for
// the program and its shared libraries: include this header in the only source of a test program.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "effort.hpp"
#include "everywhere.hpp"

namespace daptor::test {

/// The allocation that fails on this process.
class Exhaustion {
 public:
  /// The allocation number `number` from now on fails, counted from 0; none if that is negative.
  static void begin(std::int64_t number) {
    left_ = number;
    fired_ = false;
  }
  /// Returns whether it has failed.
  static bool end() {
    left_ = -1;
    return fired_;
  }

  /// The number of allocations that this process makes in `body`.
  template <class F>
  static std::int64_t count(F&& body) {
    constexpr std::int64_t many = std::numeric_limits<std::int64_t>::max();
    begin(many);
    body();
    return many - std::exchange(left_, -1);
  }

  /// No allocation is counted during its lifetime.
  class Pause {
   public:
    Pause() : left_before_(std::exchange(left_, -1)) {}
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
    ~Pause() { left_ = left_before_; }

   private:
    std::int64_t left_before_;
  };

  static void* allocate(std::size_t size) {
    if (left_ >= 0 && left_-- == 0) {
      fired_ = true;
      throw std::bad_alloc();
    }
    void* const memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }

 private:
  inline static std::int64_t left_ = -1;
  inline static bool fired_ = false;
};

/// Passes every operation on. Allocations inside of an operation do not fail, because memory that
/// runs out there ends the job.
class UnfailingCommunicator final : public Communicator {
 public:
  explicit UnfailingCommunicator(const Comm& comm) : comm_(comm) {}

  int rank() const override { return comm_.rank(); }
  int size() const override { return comm_.size(); }
  MPI_Comm mpi() const override { return comm_->mpi(); }
  void allreduce(std::int64_t* values, int count, Reduction reduction) const override {
    const Exhaustion::Pause pause;
    comm_->allreduce(values, count, reduction);
  }
  std::int64_t exclusive_sum(std::int64_t value) const override {
    const Exhaustion::Pause pause;
    return comm_->exclusive_sum(value);
  }
  void broadcast(void* data, std::size_t count, int root) const override {
    const Exhaustion::Pause pause;
    comm_->broadcast(data, count, root);
  }
  void sendrecv(int to, const void* send, std::size_t sent, int from, void* receive,
                std::size_t received) const override {
    const Exhaustion::Pause pause;
    comm_->sendrecv(to, send, sent, from, receive, received);
  }
  std::vector<Message> exchange(const std::vector<Message>& messages) const override {
    const Exhaustion::Pause pause;
    return comm_->exchange(messages);
  }

 private:
  Comm comm_;
};

/// Collective. Runs the call with one allocation that fails, those of each rank in turn: the call
/// throws on all ranks, or returns on all of them. Returns the number of allocations that failed,
/// over all ranks.
/// @param call  gets a communicator to which no earlier call has been made
/// @param step  every allocation of this number is tried; 1 for those of a short call that matters
inline std::int64_t expect_exhaustion_agreed(const std::function<void(const Comm&)>& call,
                                             std::int64_t step = exhaustion_step()) {
  call(Comm(std::make_shared<UnfailingCommunicator>(Comm(MPI_COMM_WORLD))));  // without a failure
  std::int64_t failures = 0;
  for (int victim = 0; victim < world_size(); ++victim)
    for (std::int64_t number = victim % step;; number += step) {
      SCOPED_TRACE("allocation " + std::to_string(number) + " of rank " + std::to_string(victim));
      const Comm comm(std::make_shared<UnfailingCommunicator>(Comm(MPI_COMM_WORLD)));
      std::int64_t thrown = 0;
      Exhaustion::begin(world_rank() == victim ? number : -1);
      try {
        call(comm);
      } catch (const std::exception&) {
        thrown = 1;
      }
      const bool fired = Exhaustion::end();
      EXPECT_EQ(least(thrown), greatest(thrown)) << "thrown on some ranks only";
      if (greatest(fired ? 1 : 0) == 0) break;
      ++failures;
    }
  return failures;
}

}  // namespace daptor::test

void* operator new(std::size_t size) {
  return daptor::test::Exhaustion::allocate(size);
}
void* operator new[](std::size_t size) {
  return daptor::test::Exhaustion::allocate(size);
}
// Sorting asks for memory in this way.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return daptor::test::Exhaustion::allocate(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
