// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/csr.hpp"
#include "daptor/lease.hpp"
#include "daptor/split_rows.hpp"

/// \file
/// For authors of adapters: judges the rows of a process in two blocks, those parts at once that
/// cost little, and the entries while they are read.

namespace daptor::adapter {

/// Collective. Proves all of the rows but their elements: each array by itself, and that rows and
/// columns are divided rank after rank.
/// @throws Malformed on all ranks (`csr.arrays`, `csr.index-type`, `csr.alignment`, `csr.length`,
///   `csr.division`, `csr.shape`); the defect of an array
void prove_layout(const SplitRows& rows, Call& call);

/// Process-local. The global columns of the block of other columns.
/// @param rows  see `prove_layout`
/// @throws Malformed (`csr.column-range`) for a column that the matrix does not have or that the
///   process owns; Stale
std::vector<Index> other_columns(const SplitRows& rows);

/// Throws Malformed (`csr.local-column`).
[[noreturn]] void refuse_local_column(Index column, Index count, std::size_t row);
/// Throws Malformed (`csr.monotone`) for the start of a row, which is before that of the row before
/// it or behind the last entry, or does not begin or end the entries.
[[noreturn]] void refuse_start(Index start, std::size_t row);

/// Process-local. Copies the starts of the rows and the number of entries.
/// @param block   see `prove_layout`
/// @param starts  room for all of them, of a type that can hold the number of entries (not checked)
/// @throws Malformed (`csr.monotone`); Stale
template <class T>
void copy_starts(const SplitRows::Block& block, T* starts) {
  const ReadLease lease(block.starts);
  const Index count = block.starts.owned_count(), entries = block.values.owned_count();
  visit_integers(block.starts, [&](const auto* given) {
    Index least = 0;
    for (Index r = 0; r < count; ++r) {
      const auto start = static_cast<Index>(given[r]);
      const bool bound = r == 0 || r + 1 == count;
      if (start < least || start > entries || (bound && start != (r == 0 ? 0 : entries)))
        refuse_start(start, static_cast<std::size_t>(r));
      starts[r] = static_cast<T>(least = start);
    }
  });
}

}  // namespace daptor::adapter
