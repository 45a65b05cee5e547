// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor {

/// How the elements of a distributed array are numbered globally.
enum class Numbering {
  /// The index in the logical array, row-major; an unstructured dimension's own indices.
  natural,
  /// Rank after rank in local order, owned elements only: PETSc's own.
  contiguous
};

}  // namespace daptor
