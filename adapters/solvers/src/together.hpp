// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include "daptor/adapter/library.hpp"
#include "daptor/agreement.hpp"
#include "daptor/comm.hpp"
#include "daptor/error.hpp"

namespace daptor::solvers {

/// The collective end of a collective call of another library. If the call failed on every rank (as
/// with a wrong parameter), all ranks throw the same error. If it failed on some ranks only, the
/// others may wait in it for ever: after half a minute this rank prints one sentence and aborts the
/// job.
void settle(const Comm& comm, const char* function, const std::exception_ptr& failure);

/// Collective. Runs a collective call of another library on all ranks, and agrees on its success.
template <class F>
auto together(const Comm& comm, const char* library, const char* function, F&& call) {
  std::optional<decltype(call())> result;
  std::exception_ptr failure;
  try {
    result.emplace(std::forward<F>(call)());
  } catch (...) {
    failure = adapter::current_failure(library, function);
  }
  settle(comm, function, failure);
  return std::move(*result);
}

}  // namespace daptor::solvers
