// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#include "daptor/agreement.hpp"
#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// The proof that the sections of all ranks make one array, with which every import begins.

namespace daptor {

/// The number of values for which a proof leaves room (`consistent_minima`).
constexpr std::size_t most_beside_proof = 7;

namespace detail {

/// Collective. Like `require_consistent`, then `agree`, in the all-reduce that opens the proof.
void require_consistent_and_agree(const DistArray& array, const Comm& comm,
                                  std::exception_ptr local, std::int64_t* values,
                                  std::size_t count);

}  // namespace detail

/// Collective over `comm`. Proves what every import relies on: that the sections of all ranks form
/// one array, by every rule of level `metadata` whose breach is an error (see `validate`). Costs
/// one all-reduce for a regular array without padding, and for any array that was proven before on
/// this communicator. Otherwise it costs two all-reduces, and two messages per distributed
/// dimension or, if ranks are not in row-major order, two exchanges.
/// @param array  this process's section; it needs no memory
/// @param comm   the processes among which the array is divided
/// @throws Malformed on all ranks, with all findings; the defect of an array that is not described
/// @throws LibraryFailed if the transport fails or a rank runs out of memory
void require_consistent(const DistArray& array, const Comm& comm);

/// Collective. `require_consistent`, followed by `agreed_minima`, without a second all-reduce: an
/// import begins with this. Throws what is wrong with the array before what `body` has thrown.
/// @param body  must not communicate, and runs before the sections of other ranks are known to fit
/// @returns the minimum of each of the values that `body` returned
template <std::size_t Count, class F>
std::array<std::int64_t, Count> consistent_minima(const DistArray& array, const Comm& comm,
                                                  F&& body) {
  static_assert(Count <= most_beside_proof);
  std::array<std::int64_t, Count> values{};
  detail::require_consistent_and_agree(
      array, comm, detail::local_minima(values, std::forward<F>(body)), values.data(), Count);
  return values;
}

/// Collective. The same for an import that has no values to compare.
/// @param checks  the local checks; must not communicate, and runs before the sections of other
///                ranks are known to fit
template <class F>
void require_consistent(const DistArray& array, const Comm& comm, F&& checks) {
  consistent_minima<1>(array, comm, [&]() -> std::array<std::int64_t, 1> {
    std::forward<F>(checks)();
    return {0};
  });
}

}  // namespace daptor
