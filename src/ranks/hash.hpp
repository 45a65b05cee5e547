// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace daptor::detail {

/// Spreads the bits of `value` over all 64 bits. This is a bijection in which every input bit
/// affects every output bit, so that regular patterns (multiples, runs) are distributed evenly over
/// any number of buckets.
inline std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

/// The hash of a sequence, extended by one value: a bijection of either argument. Only the cheap
/// half of the work has to wait for the previous hash.
inline std::uint64_t extend(std::uint64_t hash, std::int64_t value) {
  return ((hash << 5 | hash >> 59) ^ mix(static_cast<std::uint64_t>(value))) * 0x9e3779b97f4a7c15U;
}

}  // namespace daptor::detail
