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

/// Collective end of a collective call of another library. Where it failed on every rank (a wrong
/// parameter), all throw the same error. Where it failed on some only, the others may be waiting
/// inside it for ever: after half a minute that is said in one sentence, and the job is ended.
void settle(const Comm& comm, const char* function, std::exception_ptr failure);

/// Collective. Runs a collective call of another library on all ranks, and agrees on how it went.
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
