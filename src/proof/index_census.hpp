// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/call.hpp"
#include "daptor/dimension.hpp"

namespace daptor::proof {

/// Counts over all index lists of one dimension together.
struct Census {
  Index distinct = 0;                 ///< number of different indices
  Index duplicated = 0;               ///< number of indices that appear in more than one list
  std::optional<Index> lowest_twice;  ///< the lowest index that appears in more than one list
};

struct Counted {
  /// the lowest index that appears twice in this rank's own list (U04)
  std::optional<Index> repeated;
  /// counts over all lists; `nullopt` if one list has an index twice
  std::optional<Census> census;
};

/// Collective. Counts the indices of the lists that the ranks pass; a rank that does not represent
/// its grid rank passes an empty list.
///
/// The method depends on the lists, and is the same on all ranks: runs if there are few; otherwise
/// bits of [0, size) if the lists fill that range well; otherwise each index is sent to the rank
/// that keeps its part of the range (32 bits per index) or to a rank that a hash chooses (64 bits
/// per index).
///
/// More than 64 ranks choose between runs and the hash, and send through ranks between
/// (`Crossing`), so that no rank gets messages from all others.
///
/// Memory: O(n/P) on each rank, where n is the number of all indices; expected O(n/P) where a hash
/// chooses. This is also the way for lists that overlap so much that the rank that keeps a part of
/// the range would receive many times its share.
Counted count_indices(const IndexList& indices, Index global_size, Call& call);

/// Process-local. The lowest index that appears twice in the list (U04). Scans the list if it
/// increases, uses a bitmap if its indices are dense, and sorts a copy otherwise.
std::optional<Index> lowest_repeated(const IndexList& indices);

}  // namespace daptor::proof
