// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "world.hpp"

namespace daptor::test {

/// Whether nothing is left out to save time: set by `scripts/test --all`.
inline bool all_rounds() {
  return std::getenv("DAPTOR_TEST_ALL_ROUNDS") != nullptr;
}

/// Number of repetitions of a random test of MPI: `full` with all_rounds(), otherwise half of it,
/// and above two ranks so many that all ranks together do as much as two, but not below three.
/// Under AddressSanitizer, which makes allocation slow, a tenth on any number of ranks.
inline int rounds(int full) {
#ifdef DAPTOR_ADDRESS_SANITIZED
  return std::max(1, full / 10);
#else
  if (all_rounds()) return full;
  return std::max(std::min(full, 3), full / std::max(2, world_size()));
#endif
}

/// Whether a test of very many cases leaves some out: under AddressSanitizer, unless all_rounds().
inline bool thinned() {
#ifdef DAPTOR_ADDRESS_SANITIZED
  return !all_rounds();
#else
  return false;
#endif
}

/// Whether such a test tries this case, counted from 0: each, or if it is thinned one of `step`.
inline bool tried(std::int64_t number, int step) {
  return !thinned() || number % step == 0;
}

/// Of how many allocations of a rank one fails. Each rank begins at another one, so that ranks that
/// do the same fail at all of them together. On at most three ranks all_rounds() takes each one of
/// each rank under the sanitizers, too, which make these tests their longest.
inline std::int64_t exhaustion_step() {
  if (world_size() > 3) return 7;
#ifdef DAPTOR_ADDRESS_SANITIZED
  if (!all_rounds()) return 3 * world_size();
#endif
  return 1;
}

}  // namespace daptor::test
