// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/report.hpp"

/// \file
/// Unstructured dimensions that do not say whether an index is on two processes: asked of their
/// lists.

namespace daptor {

/// Whether the dimension lists indices, and says neither that they are on no other process
/// (`one_to_one`) nor which of them this process owns. Process-local.
bool leaves_open_who_owns(const Dimension& dimension);

/// What the index lists of an array show.
struct OneToOne {
  /// The array; where no index is on two processes, its unstructured dimensions say `one_to_one`.
  /// The same memory, kept alive by the same producer.
  DistArray array;
  /// Why they cannot say it: the finding of U04 or U09, or of another rule that the array breaks.
  /// The same on all ranks.
  std::optional<Finding> against;
};

/// Collective over `comm`. Looks whether an index of an unstructured dimension is on two processes,
/// or twice on one, where the dimension says neither `one_to_one` nor which indices are owned. Any
/// other array is returned as it is.
///
/// Costs what `validate` at level full costs: each index travels once, in 32 bits where the range
/// is dense; O(n/P) memory a rank.
///
/// Example, two ranks with the indices {0, 2, 4} and {1, 3, 5}: `against` is empty, and `array`
/// says `one_to_one`. With {0, 1, 2} and {2, 3}: `against` is U09 about index 2, and `array` is the
/// one that was given.
/// @param array  this process's section; it needs no memory
/// @param comm   the processes that the array is divided among
/// @returns the array that says what was proven, or the one that was given and the reason
/// @throws Error the defect of an array that is not described, on all ranks
/// @throws LibraryFailed where the transport fails or a rank lacks the memory
OneToOne prove_one_to_one(const DistArray& array, const Comm& comm);

}  // namespace daptor
