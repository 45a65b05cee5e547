// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "csr/offsets.hpp"
#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "daptor/csr.hpp"

namespace daptor::detail {

/// How the parts of rows that lie on several processes come together. The process on which a row
/// begins gets the sum of the parts that lie on the processes after it.
struct SharedRow {
  /// If a row that begins on a lower rank has entries on this process or on a higher rank: number
  /// of processes from this one to the last that has some; else 0.
  Index joined = 0;
  /// Number of such processes below this one, without the one on which the row begins.
  Index before = 0;
  /// Whether this process's last row continues on the next process.
  bool continues = false;
  /// The greatest `joined` of all processes.
  Index longest = 0;
};

/// The rows that begin on a process, and where their entries are among its own.
///
/// Example: 11 entries in blocks of 4, 4 and 3, and rows that begin at 0, 2, 3, 10 and 10. Process
/// 0 has rows [0, 3), with starts {0, 2, 3, 4}. All entries of process 1 belong to row 2, and on
/// process 2 so do the first two: `joined` is 2 and 1, `before` 0 and 1. Process 2 has rows [3, 5),
/// the first of which is empty, with starts {2, 2, 3}.
struct LocalRows {
  IndexRange rows;
  /// The first entry of each row, counted from this process's first; then the number of entries.
  std::vector<Index> starts;
  SharedRow shared;

  /// Entries of the row that begins on a lower rank.
  Index leading() const { return starts.front(); }
};

/// Collective. The rows of a matrix that is proven.
/// @param offsets  what `prove_offsets` has found
LocalRows find_local_rows(const CsrArrays& matrix, const OwnedOffsets& offsets, Call& call);

}  // namespace daptor::detail
