// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/marked.hpp"

#include <cstring>

namespace daptor::detail {
namespace {

constexpr std::uint64_t all_set = ~std::uint64_t{0};

}  // namespace

template <bool Packs, std::size_t Size>
void MarkedCopy::copy_sized(Index count, const Strip& packed) {
  const std::size_t size = Size != 0 ? Size : packed.itemsize;
  const Index step = packed.stride, stride = elements_.stride;
  const bool gapless = packed.gapless() && elements_.gapless();
  std::byte* at = packed.first;
  const auto move = [&](std::byte* element) {
    if constexpr (Packs)
      std::memcpy(at, element, Size != 0 ? Size : size);
    else
      std::memcpy(element, at, Size != 0 ? Size : size);
    at += step;
  };
  while (count > 0) {
    while (rest_ == 0) rest_ = bits_.words()[next_++];
    std::byte* const base = elements_.at(static_cast<Index>(next_ - 1) * 64);
    if (gapless && rest_ == all_set && count >= 64) {
      if constexpr (Packs)
        std::memcpy(at, base, 64 * size);
      else
        std::memcpy(base, at, 64 * size);
      at += 64 * size;
      count -= 64;
      rest_ = 0;
      continue;
    }
    std::uint64_t bits = rest_;
    if (count >= 64) {
      for (; bits != 0; bits &= bits - 1, --count) move(base + __builtin_ctzll(bits) * stride);
    } else {
      for (; bits != 0 && count > 0; bits &= bits - 1, --count)
        move(base + __builtin_ctzll(bits) * stride);
    }
    rest_ = bits;
  }
}

template <bool Packs>
void MarkedCopy::copy(Index count, const Strip& packed) {
  switch (elements_.itemsize) {
    case 1:
      return copy_sized<Packs, 1>(count, packed);
    case 2:
      return copy_sized<Packs, 2>(count, packed);
    case 4:
      return copy_sized<Packs, 4>(count, packed);
    case 8:
      return copy_sized<Packs, 8>(count, packed);
    case 16:
      return copy_sized<Packs, 16>(count, packed);
    default:
      return copy_sized<Packs, 0>(count, packed);
  }
}

void MarkedCopy::pack(Index count, const Strip& packed) {
  copy<true>(count, packed);
}

void MarkedCopy::unpack(Index count, const Strip& packed) {
  copy<false>(count, packed);
}

}  // namespace daptor::detail
