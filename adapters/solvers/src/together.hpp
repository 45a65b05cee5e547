// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "daptor/adapter/first_failure.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"

namespace daptor::solvers {

/// The collective end of a collective call of another library. If the call failed on every rank (as
/// with a wrong parameter), all ranks throw the same error. If it failed on some ranks only, the
/// others may wait in it for ever: after half a minute this rank prints one sentence and aborts the
/// job.
void settle(Call& call, const char* function, const std::exception_ptr& failure);

/// Collective. Runs a collective call of another library on all ranks, and agrees on its success.
template <class F>
auto together(Call& call, const char* library, const char* function, F&& body)
    -> std::invoke_result_t<F> {
  using Result = std::invoke_result_t<F>;
  if constexpr (std::is_void_v<Result>) {
    adapter::FirstFailure failure;
    failure.attempt([&] { adapter::translated(library, function, std::forward<F>(body)); });
    settle(call, function, failure.get());
  } else {
    std::optional<Result> result;
    together(call, library, function, [&] { result.emplace(std::forward<F>(body)()); });
    return std::move(*result);
  }
}

}  // namespace daptor::solvers
