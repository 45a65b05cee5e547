// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::test {

/// How often a random test repeats: a tenth under AddressSanitizer, which makes allocating slow.
constexpr int rounds(int full) {
#ifdef DAPTOR_ADDRESS_SANITIZED
  return full / 10;
#else
  return full;
#endif
}

}  // namespace daptor::test
