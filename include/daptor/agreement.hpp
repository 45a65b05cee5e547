// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/first_failure.hpp"
#include "daptor/comm.hpp"
#include "daptor/detail/local_work.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"

/// \file
/// Lets a collective call return on all ranks or throw on all ranks: each rank passes its local
/// outcome, and the lowest rank at fault decides what all ranks throw. The first agreement of a
/// call also proves that all ranks are in the same call.

namespace daptor {

/// Names the collective call that this rank is in, from construction to destruction, for the error
/// thrown if ranks are in different calls. The outermost name counts: a call made inside another
/// call is a part of it.
///
/// Process-local. Use it on the first line of a collective function; the first thing that the
/// function then does on the communicator must be an agreement (`agree`, `agreed`,
/// `agreed_minima`).
/// \code
/// void assemble(const Matrix& matrix, const daptor::Comm& comm) {
///   const daptor::CollectiveCall call(comm, "assemble");
///   daptor::agreed(comm, [&] { require_assembled(matrix); });
///   ...
/// }
/// \endcode
class CollectiveCall {
 public:
  /// @param comm  the communicator of the call, which must outlive this object
  /// @param name  the function, as error messages name it; the text must outlive this object
  CollectiveCall(const Comm& comm, const char* name) noexcept
      : open_(comm->open_call()), outermost_(open_.name == nullptr) {
    if (outermost_) set(name);
  }
  CollectiveCall(const CollectiveCall&) = delete;
  CollectiveCall& operator=(const CollectiveCall&) = delete;
  ~CollectiveCall() {
    if (outermost_) set(nullptr);
  }

 private:
  void set(const char* name) noexcept {
    open_.name = name;
    open_.agreed = false;
  }

  detail::OpenCall& open_;
  bool outermost_;
};

/// Collective. Returns on all ranks if `local` is null on all of them. Otherwise every rank throws
/// the error of the lowest rank that passed one: the same class with the same report, in which
/// findings without a rank name that rank. Exceptions that are not Daptor's become LibraryFailed.
/// If ranks are in different calls (see CollectiveCall), all of them throw InvalidArgument, rule
/// `collective.mixed`, which says which rank is in which call.
///
/// Costs one all-reduce if no rank failed, of 144 bytes in the first agreement of a call and of 8
/// bytes, and 8 for each value, in later ones; otherwise one broadcast of 16 KiB more.
/// @param comm   the ranks that agree
/// @param local  the failure of this rank; null if it succeeded
/// @throws Error of the lowest rank that failed, on all ranks
void agree(const Comm& comm, const std::exception_ptr& local);

/// The number of values that an agreement can reduce besides its own.
constexpr std::size_t most_minima = 15;

/// Collective. The same, and replaces each value by its minimum over all ranks, in the same
/// all-reduce.
/// @param values  `count` numbers of this rank, in place; those of a rank that failed do not matter
/// @param count   at most `most_minima`; the same on all ranks
void agree(const Comm& comm, const std::exception_ptr& local, std::int64_t* values,
           std::size_t count);

namespace detail {

/// Collective over `comm`. Runs `body`, then agrees on its outcome. Unlike the body of `agreed`,
/// this one may communicate over another communicator, if it returns or throws on all ranks of that
/// communicator. Ranks outside of it do nothing in `body` and learn its outcome here.
template <class F>
auto relayed(const Comm& comm, F&& body) -> std::invoke_result_t<F> {
  using Result = std::invoke_result_t<F>;
  adapter::FirstFailure failure;
  if constexpr (std::is_void_v<Result>) {
    failure.attempt(std::forward<F>(body));
    agree(comm, failure.get());
  } else {
    std::optional<Result> result;
    failure.attempt([&] { result.emplace(std::forward<F>(body)()); });
    agree(comm, failure.get());
    return std::move(*result);
  }
}

/// Process-local. Stores the result of `body` in `values`; returns what it throws, or null.
template <std::size_t Count, class F>
std::exception_ptr local_minima(std::array<std::int64_t, Count>& values, F&& body) {
  adapter::FirstFailure failure;
  failure.attempt([&] {
    const LocalWork local;
    values = std::forward<F>(body)();
  });
  return failure.get();
}

}  // namespace detail

/// Collective. Runs `body` on every rank, then agrees on its outcome.
/// @param comm  the ranks that agree
/// @param body  must not communicate; may throw anything
/// @returns the result of `body` on this rank, if it returned on all ranks
/// @throws Error of the lowest rank on which `body` threw, on all ranks
template <class F>
auto agreed(const Comm& comm, F&& body) -> std::invoke_result_t<F> {
  return detail::relayed(comm, [&]() -> std::invoke_result_t<F> {
    const detail::LocalWork local;
    return std::forward<F>(body)();
  });
}

/// Collective. The same, and computes the minima of the values over all ranks, in the same
/// all-reduce.
/// @tparam Count  number of values, at most `most_minima`
/// @param comm    the ranks that agree
/// @param body    returns `Count` 64-bit integers in a `std::array`; must not communicate
/// @returns the minimum of each value over all ranks; the same on all ranks
template <std::size_t Count, class F>
std::array<std::int64_t, Count> agreed_minima(const Comm& comm, F&& body) {
  static_assert(Count <= most_minima);
  std::array<std::int64_t, Count> values{};
  agree(comm, detail::local_minima(values, std::forward<F>(body)), values.data(), Count);
  return values;
}

}  // namespace daptor
