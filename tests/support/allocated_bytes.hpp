// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <malloc.h>

#include <cstddef>

namespace daptor::test {

/// What this process has allocated from the heap at the moment, in bytes.
inline std::size_t allocated_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace daptor::test
