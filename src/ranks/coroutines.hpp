// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

/// \file
/// Functions that take turns on one thread, each on a stack of its own.

namespace daptor::detail {

class Stacks;
struct Coroutine;

class Coroutines {
 public:
  /// @param body  what each of them runs, given its number from 0; it does not throw
  Coroutines(int count, std::function<void(int)> body);
  Coroutines(const Coroutines&) = delete;
  Coroutines& operator=(const Coroutines&) = delete;
  ~Coroutines();

  /// The one that was resumed last.
  int current() const noexcept { return current_; }
  bool finished(int which) const noexcept;
  /// In bytes.
  std::size_t stack_size() const noexcept;
  /// Whether one that has finished used more than its stack.
  bool overflowed(int which) const noexcept;

  /// Begins it, or goes on with it, until it pauses or finishes.
  void resume(int which);
  /// Called by the one that runs: goes back to where it was resumed.
  void pause();

 private:
  struct Caller;

  static void enter();
  void begin();

  std::function<void(int)> body_;
  std::unique_ptr<Stacks> stacks_;
  std::vector<Coroutine> each_;
  std::unique_ptr<Caller> caller_;
  int current_ = 0;
};

}  // namespace daptor::detail
