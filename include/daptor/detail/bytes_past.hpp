// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace daptor::detail {

/// Number of bytes by which an address exceeds a multiple of `alignment`; 0 for a null pointer.
inline std::size_t bytes_past(const void* address, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(address) % alignment;
}

/// Number of bytes from an address to the next multiple of `alignment`; 0 if it is one.
inline std::size_t bytes_before(const void* address, std::size_t alignment) {
  return (alignment - bytes_past(address, alignment)) % alignment;
}

}  // namespace daptor::detail
