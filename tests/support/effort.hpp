// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::test {

/// Number of repetitions of a random test: a tenth under AddressSanitizer, which makes allocation
/// slow.
constexpr int rounds(int full) {
#ifdef DAPTOR_ADDRESS_SANITIZED
  return full / 10;
#else
  return full;
#endif
}

}  // namespace daptor::test
