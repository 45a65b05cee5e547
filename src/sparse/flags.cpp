// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/flags.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "daptor/detail/scan_kernel.hpp"

namespace daptor::detail {
namespace {

template <class T>
void flags_of(const Strip& mask, Index first, Index count, std::uint8_t* flags) {
  if (mask.gapless()) {
    const std::byte* const at = mask.at(first);
    for (Index i = 0; i < count; ++i)
      flags[i] = load_element<T>(at + static_cast<std::size_t>(i) * sizeof(T)) != 0 ? 1 : 0;
  } else {
    for (Index i = 0; i < count; ++i) flags[i] = load_element<T>(mask.at(first + i)) != 0 ? 1 : 0;
  }
}

/// Eight flags as eight bits, the first one as the lowest.
std::uint64_t bits_of(const std::uint8_t* flags) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, flags, sizeof bytes);
  // The product has flag i at bit 56 + i; no two flags meet in a bit from which a carry could
  // start.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return bytes * 0x0102040810204080U >> 56U;
#else
  return bytes * 0x8040201008040201U >> 56U;
#endif
}

/// The number of bits that are set. Without an instruction for it, which not every processor has,
/// the compiler would call a function.
Index count_bits(std::uint64_t word) {
  word -= word >> 1U & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + (word >> 2U & 0x3333333333333333U);
  word = (word + (word >> 4U)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<Index>(word * 0x0101010101010101U >> 56U);
}

}  // namespace

void read_flags(const Strip& mask, Index first, Index count, std::uint8_t* flags) {
  switch (mask.itemsize) {
    case 1:
      return flags_of<std::uint8_t>(mask, first, count, flags);
    case 2:
      return flags_of<std::uint16_t>(mask, first, count, flags);
    case 4:
      return flags_of<std::uint32_t>(mask, first, count, flags);
    default:
      return flags_of<std::uint64_t>(mask, first, count, flags);
  }
}

MarkedBits::MarkedBits(const Strip& mask, Index count)
    : words_(static_cast<std::size_t>((count + 63) / 64)) {
  std::array<std::uint8_t, strip_block> flags{};
  for (Index first = 0; first < count; first += strip_block) {
    const Index part = std::min(strip_block, count - first);
    read_flags(mask, first, part, flags.data());
    const auto filled = static_cast<std::size_t>((part + 63) / 64 * 64);
    std::fill(flags.begin() + part, flags.begin() + static_cast<std::ptrdiff_t>(filled),
              std::uint8_t{0});
    for (std::size_t i = 0; i < filled; i += 64) {
      std::uint64_t word = 0;
      for (std::size_t k = 0; k < 8; ++k) word |= bits_of(flags.data() + i + 8 * k) << (8 * k);
      words_[(static_cast<std::size_t>(first) + i) / 64] = word;
      marked_ += count_bits(word);
    }
  }
}

}  // namespace daptor::detail
