// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>

#include "proof/index_census.hpp"

/// \file
/// Ways to count the indices of all ranks' lists. Each is collective, and gives every rank the part
/// of the census that it keeps: the parts are disjoint and add up.

namespace daptor::validation {

/// As runs of consecutive indices. Any range; costs in proportion to the runs.
Census count_runs(const IndexList& indices, Index global_size, const Comm& comm);

/// As bits of the whole range, which each rank fills and divides over all: every index is inside
/// [0, global_size). `repeated` becomes true where this rank's list has an index twice.
Census count_bits(const IndexList& indices, Index global_size, const Comm& comm, bool& repeated);

/// As offsets into the parts of the range, those of indices outside [0, global_size) left out. A
/// part is shorter than 2^32. Each list has an index once.
Census count_offsets(const IndexList& indices, Index global_size, const Comm& comm);

/// At ranks that a hash chooses; where `outside_only`, those outside [0, global_size) alone. Each
/// list has an index once.
Census count_hashes(const IndexList& indices, Index global_size, bool outside_only,
                    const Comm& comm);

inline bool inside(Index index, Index global_size) {
  return static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(global_size);
}

/// Without overflow, whatever the indices are.
inline bool follows(Index index, Index before) {
  return static_cast<std::uint64_t>(index) == static_cast<std::uint64_t>(before) + 1;
}

/// Parts of [0, size) of one length, one a rank, the last ones shorter or empty.
class Parts {
 public:
  Parts(Index global_size, int ranks)
      : length_(std::max<Index>(1, global_size / ranks + (global_size % ranks != 0 ? 1 : 0))),
        inverse_(1.0 / static_cast<double>(length_)) {}

  Index length() const { return length_; }
  Index first(int part) const { return part * length_; }
  /// One multiplication, corrected by one where it rounds: a division would take most of the time.
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

}  // namespace daptor::validation
