#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "daptor/communicator.hpp"
#include "daptor/dimension.hpp"

namespace daptor::validation {

/// What all index lists of one dimension together hold.
struct Census {
  Index distinct = 0;                 ///< different indices
  Index duplicated = 0;               ///< indices that more than one list has
  std::optional<Index> lowest_twice;  ///< the lowest of those
};

/// Collective. Counts the indices of the lists that the ranks bring, each of which holds an index
/// once; a rank that speaks for nobody brings an empty one. Each index is sent to the rank that
/// keeps its part of the range, in 32 bits and against a bitmap where the lists fill [0, size) well
/// enough; other indices go to a rank that a hash chooses.
///
/// Memory: O(n/P) a rank, n all indices, whatever they are: where lists overlap so much that one
/// rank would receive many times its share, the range is taken in parts.
Census count_indices(const IndexList& indices, Index global_size, const Communicator& comm);

/// Process-local. The lowest index that stands in the list twice (U04). A scan where the list
/// increases, a bitmap where its indices are dense, a sorted copy otherwise.
std::optional<Index> lowest_repeated(const IndexList& indices);

}  // namespace daptor::validation
