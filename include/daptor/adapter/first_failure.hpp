// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <utility>

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

/// \file
/// For authors of adapters: what may fail on this rank between communications that others wait in.

namespace daptor::adapter {

/// Keeps the first failure of this rank, so that the rank goes on to the point where all ranks
/// agree on what went wrong (`agree(comm, failure.get())`). Process-local.
class FirstFailure {
 public:
  FirstFailure() = default;
  /// Begins with what has failed before, or with null.
  explicit FirstFailure(std::exception_ptr before) : failure_(std::move(before)) {}

  /// Runs `work`, unless a failure is kept already, and keeps what it throws. The end of a thread,
  /// which unwinds like an exception and is none, passes.
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
  /// The failure that is kept; null where there is none.
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
