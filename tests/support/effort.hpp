// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdlib>

#include "world.hpp"

namespace daptor::test {

/// How often a random test of MPI repeats. With more than two ranks it repeats less often, so that
/// all of them together do what two do; `scripts/test --all` sets DAPTOR_TEST_ALL_ROUNDS, which
/// repeats as often on any number. A tenth of it under AddressSanitizer, which makes allocating
/// slow.
inline int rounds(int full) {
#ifdef DAPTOR_ADDRESS_SANITIZED
  full /= 10;
#endif
  if (std::getenv("DAPTOR_TEST_ALL_ROUNDS") != nullptr) return full;
  return std::max(1, full * 2 / std::max(2, world_size()));
}

}  // namespace daptor::test
