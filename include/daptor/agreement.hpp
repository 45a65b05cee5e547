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

/// Collective. Proves what every import rests on, in two all-reduces at most when nothing is wrong:
/// all ranks describe the same array (version rules, number of dimensions, element type,
/// distribution, size, grid, block size, periodicity, padding key: T08, T14, T16, D05, D10, D15,
/// D25, C06, P06, U10), the grid has as many processes as the communicator (D14), and the sections
/// together hold every element (B13). Throws Malformed on all ranks, with the rule, the dimension
/// and a rank that differs from rank 0.
void require_consistent(const DistArray& array, const Communicator& comm);

}  // namespace daptor
