// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/report.hpp"

/// \file
/// Finds out from their lists whether unstructured dimensions have an index on two processes, if
/// the dimensions do not state it.

namespace daptor {

/// What the index lists of an array show.
struct OneToOne {
  /// The array, whose unstructured dimensions state `one_to_one` if no index is on two processes.
  /// It has the same memory, kept alive by the same producer.
  DistArray array;
  /// The reason why they cannot state it: the finding of U04 or U09, or of another rule that the
  /// array breaks. The same on all ranks.
  std::optional<Finding> against;

  /// `against`, if it says that an index is on two processes, or twice on one. Throws Malformed if
  /// the array breaks another rule.
  const std::optional<Finding>& shared() const;
};

/// Collective. If an unstructured dimension states neither `one_to_one` nor which indices are
/// owned, finds out whether an index is on two processes, or twice on one. Any other array is
/// returned as it is.
///
/// Costs as much as `validate` at level full: each index is sent once, in 32 bits if the range is
/// dense, and each rank uses O(n/P) memory.
///
/// Example: two ranks with the indices {0, 2, 4} and {1, 3, 5}. `against` is empty, and `array`
/// states `one_to_one`. With {0, 1, 2} and {2, 3}, `against` is U09 about index 2, and `array` is
/// the one that was passed.
/// @param array  the array; it needs no memory
/// @returns the array that states what was proven, or the given array and the reason
/// @throws Error the defect of an array that is not described, on all ranks
/// @throws LibraryFailed if the transport fails or a rank runs out of memory
OneToOne prove_one_to_one(const DistArray& array);

}  // namespace daptor
