// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/crossing.hpp"

#include <cstdlib>

namespace daptor::detail {
namespace {

int most_direct() {
  const char* const lower = std::getenv("DAPTOR_MOST_DIRECT_RANKS");
  return lower == nullptr ? 64 : std::atoi(lower);
}

}  // namespace

bool Crossing::used(int ranks) {
  static const int most = most_direct();
  return ranks > most;
}

}  // namespace daptor::detail
