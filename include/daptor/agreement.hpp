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
/// How a collective call returns on all ranks or throws on all ranks: each rank brings its local
/// outcome, and the first rank at fault decides what everybody throws. The first agreement of a
/// call also proves that all ranks are in the same call.

namespace daptor {

/// Names the collective call that this rank is in, from its construction to its destruction, for
/// the error of ranks that are in different ones. The outermost name counts: a call that is made
/// inside of another one is a part of it.
///
/// Process-local. The first line of a collective function; what the function does first on the
/// communicator is then an agreement (`agree`, `agreed`, `agreed_minima`).
/// \code
/// void assemble(const Matrix& matrix, const daptor::Comm& comm) {
///   const daptor::CollectiveCall call(comm, "assemble");
///   daptor::agreed(comm, [&] { require_assembled(matrix); });
///   ...
/// }
/// \endcode
class CollectiveCall {
 public:
  /// @param comm  the communicator of the call; outlives this object
  /// @param name  the function, as error messages name it; the text outlives this object
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

/// Collective. Returns on all ranks where `local` is null on all; otherwise every rank throws the
/// error of the lowest rank that brought one: the same class with the same report, in which
/// findings without a rank name that one. Exceptions that are not Daptor's become LibraryFailed.
/// Where ranks are in different calls (see CollectiveCall) all throw InvalidArgument, rule
/// `collective.mixed`, which says who is in which.
///
/// One all-reduce where no rank failed, of 144 bytes at the first agreement of a call and of 8
/// bytes at later ones; one broadcast of 16 KiB more otherwise.
/// @param comm   the ranks that agree
/// @param local  what failed on this rank; null where it succeeded
/// @throws Error that of the lowest rank that failed, on all ranks
void agree(const Comm& comm, std::exception_ptr local);

/// As many values as an agreement reduces beside what it is for.
constexpr std::size_t most_minima = 15;
/// As many of them as a proof leaves room for (`consistent_minima`).
constexpr std::size_t most_beside_proof = 7;

/// Collective. The same, and replaces each value by the least of all ranks, in the same all-reduce.
/// @param values  `count` numbers of this rank, in place; of a rank that failed they do not matter
/// @param count   at most `most_minima`; the same on all ranks
void agree(const Comm& comm, std::exception_ptr local, std::int64_t* values, std::size_t count);

namespace detail {

/// Collective over `comm`. Runs `body`, then agrees on how it went. Other than that of `agreed`,
/// the body may communicate over another communicator, if it returns or throws on all ranks of that
/// one; ranks outside of it do nothing in `body`, and learn here what became of it.
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

/// Process-local. Puts what `body` returns into `values`; returns what it throws, or null.
template <std::size_t Count, class F>
std::exception_ptr local_minima(std::array<std::int64_t, Count>& values, F&& body) {
  adapter::FirstFailure failure;
  failure.attempt([&] {
    const LocalWork local;
    values = std::forward<F>(body)();
  });
  return failure.get();
}

/// Collective. `require_consistent`, then `agree`, in the all-reduce that opens the proof.
void require_consistent_and_agree(const DistArray& array, const Comm& comm,
                                  std::exception_ptr local, std::int64_t* values,
                                  std::size_t count);

}  // namespace detail

/// Collective. Runs `body` on every rank, then agrees on how it went.
/// @param comm  the ranks that agree
/// @param body  must not communicate; may throw anything
/// @returns what `body` returned here, where it returned on all ranks
/// @throws Error that of the lowest rank where `body` threw, on all ranks
template <class F>
auto agreed(const Comm& comm, F&& body) -> std::invoke_result_t<F> {
  return detail::relayed(comm, [&]() -> std::invoke_result_t<F> {
    const detail::LocalWork local;
    return std::forward<F>(body)();
  });
}

/// Collective. The same, and finds the least of the values of all ranks, in the same all-reduce.
/// @tparam Count  how many values, at most `most_minima`
/// @param comm    the ranks that agree
/// @param body    returns `Count` 64-bit integers in a `std::array`; must not communicate
/// @returns the least of all ranks for each of the values; the same on all ranks
template <std::size_t Count, class F>
std::array<std::int64_t, Count> agreed_minima(const Comm& comm, F&& body) {
  static_assert(Count <= most_minima);
  std::array<std::int64_t, Count> values{};
  agree(comm, detail::local_minima(values, std::forward<F>(body)), values.data(), Count);
  return values;
}

/// Collective over `comm`. Proves what every import rests on: that the sections of all ranks make
/// one array, by every rule of level `metadata` whose breach is an error (see `validate`). One
/// all-reduce for a regular array without padding, and for any that was proven before on this
/// communicator; else two, and two messages a distributed dimension, or where ranks are not
/// row-major two exchanges.
/// @param array  this process's section; it needs no memory
/// @param comm   the processes that the array is divided among
/// @throws Malformed on all ranks, with all that is wrong; the defect of an array that is not
///   described
/// @throws LibraryFailed where the transport fails or a rank lacks the memory
void require_consistent(const DistArray& array, const Comm& comm);

/// Collective. `require_consistent` and after it `agreed_minima`, without a second all-reduce: what
/// an import begins with. Throws what is wrong with the array before what `body` has thrown.
/// @param body  must not communicate, and runs before the sections of other ranks are known to fit
/// @return the least of each of the values that `body` returned
template <std::size_t Count, class F>
std::array<std::int64_t, Count> consistent_minima(const DistArray& array, const Comm& comm,
                                                  F&& body) {
  static_assert(Count <= most_beside_proof);
  std::array<std::int64_t, Count> values{};
  detail::require_consistent_and_agree(
      array, comm, detail::local_minima(values, std::forward<F>(body)), values.data(), Count);
  return values;
}

}  // namespace daptor
