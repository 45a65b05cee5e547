// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <utility>

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

/// \file
/// For authors of adapters: handles failures on this rank between communications in which other
/// ranks wait.

namespace daptor::adapter {

/// Keeps the first failure of this rank, so that the rank continues to the point at which all ranks
/// agree on the outcome (`agree(comm, failure.get())`). Process-local.
class FirstFailure {
 public:
  FirstFailure() = default;
  /// Begins with an earlier failure, or with null.
  explicit FirstFailure(std::exception_ptr before) : failure_(std::move(before)) {}

  /// Runs `work`, unless a failure is already kept, and keeps what it throws. The forced end of a
  /// thread, which unwinds the stack like an exception, is passed on.
  /// @param work  must not communicate
  template <class F>
  void attempt(F&& work) {
    if (failure_) return;
    try {
      std::forward<F>(work)();
#ifdef __GLIBCXX__
    } catch (abi::__forced_unwind&) {
      throw;
#endif
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  /// The failure that is kept; null if there is none.
  const std::exception_ptr& get() const {
    return failure_;
  }
  explicit operator bool() const {
    return failure_ != nullptr;
  }

 private:
  std::exception_ptr failure_;
};

}  // namespace daptor::adapter
