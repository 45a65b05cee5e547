// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <thread>

namespace daptor::detail {

/// Guards a few pointer operations that take less time than locking and unlocking a std::mutex.
class SpinLock {
 public:
  void lock() noexcept {
    while (locked_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() noexcept { locked_.clear(std::memory_order_release); }

 private:
  std::atomic_flag locked_ = ATOMIC_FLAG_INIT;
};

}  // namespace daptor::detail
