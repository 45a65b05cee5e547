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

/// Whether programs are slow here: under AddressSanitizer, and where CMake has DAPTOR_TEST_SLOW,
/// for emulators and valgrind.
inline bool slow() {
#ifdef DAPTOR_ADDRESS_SANITIZED
  return true;
#else
  return std::getenv("DAPTOR_TEST_SLOW") != nullptr;
#endif
}

/// Number of repetitions of a random test of MPI: `full` with all_rounds(), otherwise half of it,
/// and above two ranks so many that all ranks together do as much as two, but not below three.
/// Where programs are slow, a tenth on any number of ranks.
inline int rounds(int full) {
  if (slow()) return std::max(1, full / 10);
  if (all_rounds()) return full;
  return std::max(std::min(full, 3), full / std::max(2, world_size()));
}

/// Whether a test of very many cases leaves some out: where programs are slow, unless all_rounds().
inline bool thinned() {
  return slow() && !all_rounds();
}

/// Whether such a test tries this case, counted from 0: each, or if it is thinned one of `step`.
inline bool tried(std::int64_t number, int step) {
  return !thinned() || number % step == 0;
}

/// Of how many allocations of a rank one fails. Each rank begins at another one, so that ranks that
/// do the same fail at all of them together. On at most three ranks all_rounds() takes each one of
/// each rank where programs are slow, too.
inline std::int64_t exhaustion_step() {
  if (world_size() > 3) return 7;
  return thinned() ? 3 * world_size() : 1;
}

}  // namespace daptor::test
