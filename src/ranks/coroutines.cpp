// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/coroutines.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define DAPTOR_FAKE_STACKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DAPTOR_FAKE_STACKS 1
#endif
#endif
#ifdef DAPTOR_FAKE_STACKS
#include <sanitizer/common_interface_defs.h>
#endif

#ifdef _LIBCPP_VERSION
// The runtime of libc++ has this function of the C++ ABI too, and no header that declares it.
namespace __cxxabiv1 {
struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals();
}  // namespace __cxxabiv1
#endif

namespace daptor::detail {

namespace {

/// Tell AddressSanitizer which stack is used from now on.
#ifdef DAPTOR_FAKE_STACKS
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
constexpr std::size_t large_stack = std::size_t{1024} * 1024;
constexpr std::size_t small_stack = std::size_t{256} * 1024;
/// Up to so many have a page below each stack that must not be touched. Each takes two mappings, of
/// which Linux allows 65530.
constexpr int guarded = 16384;

}  // namespace

/// What the C++ runtime keeps for each thread about current exceptions; here, for each coroutine.
struct CurrentExceptions {
  void* caught = nullptr;
  unsigned int uncaught = 0;

  static CurrentExceptions exchanged_for(const CurrentExceptions& next) {
    auto* const globals = reinterpret_cast<CurrentExceptions*>(abi::__cxa_get_globals());
    return std::exchange(*globals, next);
  }
};

/// Stacks next to each other, of which only the pages that are touched take memory. Where there are
/// too many for a guard page each, the last word of a stack must still be zero when its coroutine
/// has finished.
class Stacks {
 public:
  Stacks(int count, std::size_t each)
      : count_(count),
        each_(each),
        guard_(count <= guarded ? static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0) {
    const std::size_t size = static_cast<std::size_t>(count) * each;
    void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<char*>(memory);
#ifdef MADV_NOHUGEPAGE
    madvise(memory_, size, MADV_NOHUGEPAGE);  // which would hold many stacks
#endif
    // Where this fails, the last word remains.
    for (int i = 0; i < count && guard_ > 0; ++i)
      if (mprotect(memory_ + static_cast<std::size_t>(i) * each, guard_, PROT_NONE) != 0) break;
  }
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks() {
    munmap(memory_, static_cast<std::size_t>(count_) * each_);
  }

  int count() const {
    return count_;
  }
  /// The lowest byte that the coroutine may use.
  char* at(int which) const {
    return memory_ + static_cast<std::size_t>(which) * each_ + guard_;
  }
  std::size_t usable() const {
    return each_ - guard_;
  }
  bool overflowed(int which) const {
    std::uint64_t last = 0;
    std::memcpy(&last, at(which), sizeof last);
    return last != 0;
  }

 private:
  int count_;
  std::size_t each_;
  std::size_t guard_;
  char* memory_;
};

struct Coroutine {
  ucontext_t context;
  CurrentExceptions exceptions;
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
  if (count > few) return std::make_unique<Stacks>(count, small_stack);
  auto& spare = spare_stacks();
  if (spare != nullptr && spare->count() >= count) return std::move(spare);
  return std::make_unique<Stacks>(std::min(few, 2 * count), large_stack);
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
  return stacks_->usable();
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
    next.context.uc_stack.ss_size = stacks_->usable();
    next.context.uc_link = nullptr;
    makecontext(&next.context, enter, 0);
    beginning = this;
  }
  current_ = which;
  const auto mine = CurrentExceptions::exchanged_for(next.exceptions);
  start_switch(&caller_->fake_stack, stacks_->at(which), stacks_->usable());
  swapcontext(&caller_->context, &next.context);
  finish_switch(caller_->fake_stack, nullptr, nullptr);
  next.exceptions = CurrentExceptions::exchanged_for(mine);
}

void Coroutines::pause() {
  Coroutine& me = each_[static_cast<std::size_t>(current_)];
  start_switch(&me.fake_stack, caller_->stack, caller_->stack_size);
  swapcontext(&me.context, &caller_->context);
  finish_switch(me.fake_stack, &caller_->stack, &caller_->stack_size);
}

}  // namespace daptor::detail
