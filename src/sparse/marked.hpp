// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sparse/flags.hpp"
#include "sparse/operands.hpp"

namespace daptor::detail {

/// Goes through the set bits of a mask in their order, and copies between the elements at which
/// they stand and consecutive packed elements.
class MarkedCopy {
 public:
  /// `elements` has one element for each bit; all three must outlive this object.
  MarkedCopy(const MarkedBits& bits, const Strip& elements) : bits_(bits), elements_(elements) {}

  /// Copies the elements at the next `count` set bits to `packed`.
  void pack(Index count, const Strip& packed);
  /// The opposite direction.
  void unpack(Index count, const Strip& packed);

 private:
  template <bool Packs>
  void copy(Index count, const Strip& packed);
  template <bool Packs, std::size_t Size>
  void copy_sized(Index count, const Strip& packed);

  const MarkedBits& bits_;
  Strip elements_;
  std::size_t next_ = 0;    ///< the word after the one that is being copied
  std::uint64_t rest_ = 0;  ///< bits of that word that have not been copied
};

}  // namespace daptor::detail
