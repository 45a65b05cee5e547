// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "proof/index_census.hpp"

/// \file
/// Methods to count the indices in the lists of all ranks. Each is collective and returns on every
/// rank the part of the census that this rank keeps: the parts are disjoint and their sum is the
/// census.

namespace daptor::proof {

/// Counts runs of consecutive indices. Works for any range; the cost is proportional to the number
/// of runs.
Census count_runs(const IndexList& indices, Index global_size, Call& call);

/// Counts bits of the whole range, which each rank fills and then divides over all ranks. Every
/// index must be in [0, global_size). `repeated` becomes true, on all ranks, if one list has an
/// index twice.
Census count_bits(const IndexList& indices, Index global_size, bool& repeated, Call& call);

/// Counts offsets into the parts of the range, and ignores indices outside [0, global_size). A part
/// must be shorter than 2^32, and no list may have an index twice. `nullopt`, on all ranks, if the
/// lists overlap so much that one rank would receive many times the length of its part.
std::optional<Census> count_offsets(const IndexList& indices, Index global_size, Call& call);

/// Counts indices on ranks that a hash chooses; with `outside_only`, only indices outside [0,
/// global_size). No list may have an index twice.
Census count_hashes(const IndexList& indices, Index global_size, bool outside_only, Call& call);

inline bool inside(Index index, Index global_size) {
  return static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(global_size);
}

/// Whether `index` is `before + 1`, for any two indices, without overflow.
inline bool follows(Index index, Index before) {
  return static_cast<std::uint64_t>(index) == static_cast<std::uint64_t>(before) + 1;
}

/// Parts of [0, size), one for each rank, of equal length except that the last ones may be shorter
/// or empty.
class Parts {
 public:
  Parts(Index global_size, int ranks)
      : length_(std::max<Index>(1, global_size / ranks + (global_size % ranks != 0 ? 1 : 0))),
        inverse_(1.0 / static_cast<double>(length_)) {}

  Index length() const { return length_; }
  Index first(int part) const { return part * length_; }
  /// Multiplies by the inverse and corrects a rounded result by one, because a division would take
  /// most of the time.
  int part_of(Index index) const {
    auto part = static_cast<Index>(static_cast<double>(index) * inverse_);
    if (part * length_ > index) --part;
    if ((part + 1) * length_ <= index) ++part;
    return static_cast<int>(part);
  }

 private:
  Index length_;
  double inverse_;
};

}  // namespace daptor::proof
