// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "daptor/adapter/rows.hpp"
#include "daptor/call.hpp"
#include "daptor/csr.hpp"
#include "daptor/lease.hpp"
#include "daptor/split_rows.hpp"

/// \file
/// For authors of adapters: judges the rows of a process in two blocks, those parts at once that
/// cost little, and the entries while they are read.

namespace daptor::adapter {

inline RowLayout layout_of(const SplitRows& rows) {
  return {rows.rows, rows.columns, rows.global_rows, rows.global_columns};
}

/// Collective. Proves all of the rows but their elements: each array by itself, and that rows and
/// columns are divided rank after rank.
/// @throws Malformed on all ranks (`csr.arrays`, `csr.index-type`, `csr.alignment`, `csr.length`,
///   `csr.division`, `csr.shape`); the defect of an array
void prove_layout(const SplitRows& rows, Call& call);

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
    if (given[0] != 0) refuse_start(static_cast<Index>(given[0]), 0);
    Index least = 0;
    for (Index r = 0; r < count; ++r) {
      const auto start = static_cast<Index>(given[r]);
      if (start < least) refuse_start(start, static_cast<std::size_t>(r));
      starts[r] = static_cast<T>(least = start);
    }
    if (least == entries) return;
    for (Index r = 0; r < count; ++r)
      if (static_cast<Index>(given[r]) > entries)
        refuse_start(static_cast<Index>(given[r]), static_cast<std::size_t>(r));
    refuse_start(least, static_cast<std::size_t>(count - 1));
  });
}

/// Process-local. The global column of each entry of the block of other columns.
/// @param rows    see `prove_layout`
/// @param starts  of the rows in that block, and the number of entries
/// @throws Malformed (`csr.local-column`; `csr.column-range` for a column that the matrix does not
///   have or that the process owns); Stale
std::vector<Index> other_columns(const SplitRows& rows, const Index* starts);

/// Rows in two blocks, the owned columns first, which this object opens. Reading a column that the
/// block does not have throws Malformed (`csr.local-column`).
template <class Column, class Of>
class TwoBlockRows {
 public:
  using Value = Of;
  static constexpr bool owned_first = true;

  /// Process-local.
  /// @param rows  see `prove_layout`; the columns of the owned block are of type Column, or of one
  ///              of the same representation
  /// @throws Malformed (`csr.monotone`) and what `other_columns` throws; Stale
  explicit TwoBlockRows(const SplitRows& rows)
      : value_lease_(rows.own.values),
        other_value_lease_(rows.other.values),
        column_lease_(rows.own.columns),
        layout_(layout_of(rows)),
        own_(starts_of_block(rows.own)),
        other_(starts_of_block(rows.other)),
        columns_(static_cast<const Column*>(rows.own.columns.data())),
        other_columns_(adapter::other_columns(rows, other_.get())),
        values_(rows.own.values.data()),
        other_values_(rows.other.values.data()) {}

  const RowLayout& layout() const { return layout_; }
  std::size_t entries() const {
    return own_entries() + static_cast<std::size_t>(other_[layout_.row_count()]);
  }
  std::size_t own_entries() const { return static_cast<std::size_t>(own_[layout_.row_count()]); }
  std::size_t length(std::size_t r) const {
    return static_cast<std::size_t>(own_[r + 1] - own_[r] + other_[r + 1] - other_[r]);
  }
  template <class Own, class Other>
  [[gnu::always_inline]] void row(std::size_t r, Own&& own, Other&& other) const {
    const Index count = layout_.columns.size();
    const auto own_stop = static_cast<std::size_t>(own_[r + 1]);
    for (auto e = static_cast<std::size_t>(own_[r]); e < own_stop; ++e) {
      const auto column = static_cast<Index>(columns_[e]);
      if (static_cast<std::uint64_t>(column) >= static_cast<std::uint64_t>(count))
        refuse_local_column(column, count, r);
      own(column, value_at<Value>(values_, e));
    }
    const auto other_stop = static_cast<std::size_t>(other_[r + 1]);
    for (auto e = static_cast<std::size_t>(other_[r]); e < other_stop; ++e)
      other(other_columns_[e], value_at<Value>(other_values_, e));
  }
  Index global(Index number) const { return number; }

 private:
  /// The first entry of each row, and the number of entries. Not initialized before it is written.
  using Starts = std::unique_ptr<Index[]>;
  static Starts starts_of_block(const SplitRows::Block& block) {
    Starts starts(new Index[static_cast<std::size_t>(block.starts.owned_count())]);
    copy_starts(block, starts.get());
    return starts;
  }

  ReadLease value_lease_, other_value_lease_, column_lease_;
  RowLayout layout_;
  Starts own_, other_;
  const Column* columns_;
  std::vector<Index> other_columns_;
  const void *values_, *other_values_;
};

/// Process-local. Opens the rows.
/// @tparam Value  the type of the values, or one of the same representation
/// @param rows    see `prove_layout`
/// @param visit   called once, with a TwoBlockRows
/// @returns what `visit` returns
/// @throws what TwoBlockRows throws
template <class Value, class F>
decltype(auto) with_rows(const SplitRows& rows, F&& visit) {
  return visit_integers(rows.own.columns, [&](const auto* list) -> decltype(auto) {
    return visit(TwoBlockRows<std::decay_t<decltype(*list)>, Value>(rows));
  });
}

}  // namespace daptor::adapter
