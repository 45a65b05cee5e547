// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "daptor/csr.hpp"

namespace daptor::detail {

/// The owned part of a matrix's offsets, counted from 0.
struct OwnedOffsets {
  /// The position of the first entry of each owned row; then the position after the last entry of
  /// the last one. A process without rows has one element, the first position of the next process.
  std::vector<Index> positions;
  /// Whether each row's entries are on the process that has its offset, on all processes.
  bool aligned = false;
};

/// Collective. Reads the offsets of a matrix whose layout is proven, and proves that they and the
/// columns are in range, wherever the entries of a row are. Throws Malformed on all ranks
/// (`csr.monotone`, `csr.first`, `csr.last`, `csr.column-range`).
OwnedOffsets prove_offsets(const CsrArrays& matrix, Call& call);

}  // namespace daptor::detail
