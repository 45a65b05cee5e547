// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/comm.hpp"
#include "daptor/dimension.hpp"

namespace daptor::validation {

/// What all index lists of one dimension together hold.
struct Census {
  Index distinct = 0;                 ///< different indices
  Index duplicated = 0;               ///< indices that more than one list has
  std::optional<Index> lowest_twice;  ///< the lowest of those
};

struct Counted {
  std::optional<Index> repeated;  ///< the lowest index that this rank's own list has twice (U04)
  std::optional<Census> census;   ///< of all lists; nothing where a list has an index twice
};

/// Collective. Counts the indices of the lists that the ranks bring; a rank that speaks for nobody
/// brings an empty one.
///
/// How depends on what the lists are, all ranks alike: runs where there are few, else bits of
/// [0, size) where the lists fill it well, else each index at the rank that keeps its part of the
/// range (32 bits an index) or that a hash chooses (64 bits).
///
/// Memory: O(n/P) a rank, n all indices, whatever they are: where lists overlap so much that one
/// rank would receive many times its share, the range is taken in parts.
Counted count_indices(const IndexList& indices, Index global_size, const Comm& comm);

/// Process-local. The lowest index that stands in the list twice (U04). A scan where the list
/// increases, a bitmap where its indices are dense, a sorted copy otherwise.
std::optional<Index> lowest_repeated(const IndexList& indices);

}  // namespace daptor::validation
