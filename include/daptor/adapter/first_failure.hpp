// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <utility>

/// \file
/// For authors of adapters: what may fail on this rank between communications that others wait in.

namespace daptor::adapter {

/// Keeps the first failure of this rank, so that the rank goes on to the point where all ranks
/// agree on what went wrong (`agree(comm, failure.get())`). Process-local.
class FirstFailure {
 public:
  /// Runs `work`, which must not communicate, where nothing has failed before, and keeps what it
  /// throws, if that is a std::exception; anything else (the end of a thread) passes.
  template <class F>
  void attempt(F&& work) {
    if (failure_) return;
    try {
      std::forward<F>(work)();
    } catch (const std::exception&) {
      failure_ = std::current_exception();
    }
  }
  /// Null where nothing has failed.
  const std::exception_ptr& get() const { return failure_; }
  explicit operator bool() const { return failure_ != nullptr; }

 private:
  std::exception_ptr failure_;
};

}  // namespace daptor::adapter
