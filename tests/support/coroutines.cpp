// SPDX-License-Identifier: BSD-3-Clause
#include "coroutines.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#ifdef DAPTOR_ADDRESS_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

namespace daptor::test {

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

/// Up to so many have large stacks, which are kept for those that come after them.
constexpr int few = 1024;

/// What the C++ runtime keeps for each thread about current exceptions; here, for each coroutine.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

void swap_exceptions(ExceptionState& out, const ExceptionState& in) {
  auto* const globals = reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
  out = *globals;
  *globals = in;
}

}  // namespace

/// Stacks next to each other in one mapping, of which only the pages that are touched take memory.
/// A guard page for each would be one mapping each, of which Linux allows 65530. Instead, the last
/// word of a stack must still be zero when its coroutine has finished.
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
  char* at(int which) const { return memory_ + static_cast<std::size_t>(which) * each_; }
  bool overflowed(int which) const {
    std::uint64_t last = 0;
    std::memcpy(&last, at(which), sizeof last);
    return last != 0;
  }

 private:
  int count_;
  std::size_t each_;
  char* memory_;
};

struct Coroutine {
  ucontext_t context;
  ExceptionState exceptions;
  void* fake_stack = nullptr;
  bool begun = false;
  bool finished = false;
};

/// Where a coroutine was resumed from.
struct Coroutines::Caller {
  ucontext_t context;
  void* fake_stack = nullptr;
  const void* stack = nullptr;
  std::size_t stack_size = 0;
};

namespace {

std::unique_ptr<Stacks>& spare_stacks() {
  thread_local std::unique_ptr<Stacks> spare;
  return spare;
}

std::unique_ptr<Stacks> stacks_for(int count) {
  if (count > few) return std::make_unique<Stacks>(count, std::size_t{256} * 1024);
  auto& spare = spare_stacks();
  if (spare != nullptr && spare->count() >= count) return std::move(spare);
  return std::make_unique<Stacks>(std::min(few, 2 * count), std::size_t{1024} * 1024);
}

/// Those whose coroutine begins; a context's function takes no pointer.
thread_local Coroutines* beginning = nullptr;

}  // namespace

Coroutines::Coroutines(int count, std::function<void(int)> body)
    : body_(std::move(body)),
      stacks_(stacks_for(count)),
      each_(static_cast<std::size_t>(count)),
      caller_(std::make_unique<Caller>()) {}

Coroutines::~Coroutines() {
  if (stacks_->count() <= few) spare_stacks() = std::move(stacks_);
}

bool Coroutines::finished(int which) const noexcept {
  return each_[static_cast<std::size_t>(which)].finished;
}

std::size_t Coroutines::stack_size() const noexcept {
  return stacks_->each();
}

bool Coroutines::overflowed(int which) const noexcept {
  return stacks_->overflowed(which);
}

void Coroutines::enter() {
  std::exchange(beginning, nullptr)->begin();
}

void Coroutines::begin() {
  finish_switch(nullptr, &caller_->stack, &caller_->stack_size);
  const int which = current_;
  body_(which);
  each_[static_cast<std::size_t>(which)].finished = true;
  start_switch(nullptr, caller_->stack, caller_->stack_size);
  setcontext(&caller_->context);
}

void Coroutines::resume(int which) {
  Coroutine& next = each_[static_cast<std::size_t>(which)];
  if (!std::exchange(next.begun, true)) {
    getcontext(&next.context);
    next.context.uc_stack.ss_sp = stacks_->at(which);
    next.context.uc_stack.ss_size = stacks_->each();
    next.context.uc_link = nullptr;
    makecontext(&next.context, enter, 0);
    beginning = this;
  }
  current_ = which;
  ExceptionState mine;
  swap_exceptions(mine, next.exceptions);
  start_switch(&caller_->fake_stack, stacks_->at(which), stacks_->each());
  swapcontext(&caller_->context, &next.context);
  finish_switch(caller_->fake_stack, nullptr, nullptr);
  swap_exceptions(next.exceptions, mine);
}

void Coroutines::pause() {
  Coroutine& me = each_[static_cast<std::size_t>(current_)];
  start_switch(&me.fake_stack, caller_->stack, caller_->stack_size);
  swapcontext(&me.context, &caller_->context);
  finish_switch(me.fake_stack, &caller_->stack, &caller_->stack_size);
}

}  // namespace daptor::test
