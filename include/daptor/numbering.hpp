// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor {

/// How the elements of a distributed array are numbered globally.
enum class Numbering {
  /// The index in the logical array, row-major; an unstructured dimension's own indices.
  natural,
  /// Rank after rank, each rank's owned elements in local order: PETSc's own. A copy has the number
  /// that its owner gives the element.
  contiguous
};

}  // namespace daptor
