#pragma once

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "daptor/communicator.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"

/// \file
/// How a collective call returns on all ranks or throws on all ranks: each rank brings its local
/// outcome, and the first rank at fault decides what everybody throws.

namespace daptor {

/// Collective. Returns on all ranks where `local` is null on all; otherwise every rank throws the
/// error of the lowest rank that brought one: the same class with the same report, in which
/// findings without a rank name that one. Exceptions that are not Daptor's become LibraryFailed.
///
/// One all-reduce of 8 bytes when nothing is wrong; one broadcast of 16 KiB more otherwise.
void agree(const Communicator& comm, std::exception_ptr local);

/// Collective. Runs `body` (which must not communicate), then agrees on how it went: returns what
/// `body` returned where it returned on all ranks.
template <class F>
auto agreed(const Communicator& comm, F&& body) -> std::invoke_result_t<F> {
  using Result = std::invoke_result_t<F>;
  std::exception_ptr failure;
  if constexpr (std::is_void_v<Result>) {
    try {
      std::forward<F>(body)();
    } catch (...) {
      failure = std::current_exception();
    }
    agree(comm, failure);
  } else {
    std::optional<Result> result;
    try {
      result.emplace(std::forward<F>(body)());
    } catch (...) {
      failure = std::current_exception();
    }
    agree(comm, failure);
    return std::move(*result);
  }
}

/// Collective. Proves what every import rests on: that the sections of all ranks make one array, by
/// every rule of level `metadata` whose breach is an error (see `validate`). Throws Malformed on
/// all ranks, with all that is wrong. One all-reduce for a regular array without padding; two, and
/// two messages a distributed dimension, otherwise; two exchanges more where ranks are not
/// row-major.
void require_consistent(const DistArray& array, const Communicator& comm);

}  // namespace daptor
