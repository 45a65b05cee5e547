// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "daptor/adapter/row_writer.hpp"
#include "daptor/call.hpp"
#include "daptor/csr.hpp"
#include "daptor/lease.hpp"
#include "daptor/terms.hpp"
#include "daptor/types.hpp"

/// \file
/// For authors of adapters: the rows of a sparse matrix on one process, whichever library has them.
/// Every library's matrices are opened as *rows*, and every library's matrices are made of rows, so
/// that a copy between any two of them is the same loop.
///
/// Rows are an object that keeps a matrix open while it lives, and has
///
/// - `Value`, the type of the values;
/// - `owned_first`, whether the owned columns come first in each row;
/// - `layout()`, a RowLayout: how rows and columns are divided;
/// - `entries()` and `own_entries()`, the number of entries, and of those in owned columns;
/// - `length(r)`, the number of entries of local row r;
/// - `row(r, own, other)`, which calls `own(local, value)` for the entries of local row r in owned
///   columns, counted from the first of them, and `other(number, value)` for all others, in the
///   order of memory;
/// - `global(number)`, the global column of such a number;
///
/// and are read by loops that the compiler sees whole: no call of an entry is virtual. What can be
/// opened: three arrays (`with_rows` below), rows in two blocks as hypre has them
/// (`split_rows.hpp`), a Mat (`daptor/petsc/adapter/mat_rows.hpp`), and a CrsMatrix
/// (`daptor/tpetra/adapter/crs_rows.hpp`). The last two are made of rows, too, and so are three
/// arrays (`copy_rows`); `write_values` (`row_writer.hpp`) writes the values of rows over those of
/// an earlier copy.

namespace daptor::adapter {

/// How the rows and columns of a matrix are divided. Rows are divided rank after rank.
struct RowLayout {
  IndexRange rows;        ///< owned
  IndexRange columns;     ///< owned
  Index global_rows = 0;  ///< of the whole matrix, like the next
  Index global_columns = 0;

  std::size_t row_count() const { return static_cast<std::size_t>(rows.size()); }
  std::size_t column_count() const { return static_cast<std::size_t>(columns.size()); }
};

/// Value number `e` of a list, which may not be aligned in memory.
/// @tparam Value  the type of the values, or one of the same representation
template <class Value>
Value value_at(const void* values, std::size_t e) {
  Value value;
  std::memcpy(&value, static_cast<const std::byte*>(values) + e * sizeof(Value), sizeof(Value));
  return value;
}

/// Rows in one list of entries, whose columns are global.
template <class Start, class Column, class Of>
class ListRows {
 public:
  using Value = Of;
  static constexpr bool owned_first = false;

  /// @param starts   the first entry of each row, then the number of entries
  /// @param columns  the column of each entry, counted from `base`; in range
  /// @param values   maybe not aligned
  ListRows(const RowLayout& layout, const Start* starts, const Column* columns, const void* values,
           Index base = 0)
      : layout_(layout), starts_(starts), columns_(columns), values_(values), base_(base) {}

  const RowLayout& layout() const { return layout_; }
  std::size_t entries() const { return static_cast<std::size_t>(starts_[layout_.row_count()]); }
  std::size_t length(std::size_t r) const {
    return static_cast<std::size_t>(starts_[r + 1] - starts_[r]);
  }
  std::size_t own_entries() const {
    const OwnedColumns owned = owned_columns();
    std::size_t count = 0;
    for (std::size_t e = 0, all = entries(); e < all; ++e)
      if (owned.have(owned.local(columns_[e]))) ++count;
    return count;
  }
  template <class Own, class Other>
  [[gnu::always_inline]] void row(std::size_t r, Own&& own, Other&& other) const {
    const OwnedColumns owned = owned_columns();
    const auto stop = static_cast<std::size_t>(starts_[r + 1]);
    for (auto e = static_cast<std::size_t>(starts_[r]); e < stop; ++e) {
      const Index local = owned.local(columns_[e]);
      if (owned.have(local))
        own(local, value_at<Value>(values_, e));
      else
        other(local + layout_.columns.start, value_at<Value>(values_, e));
    }
  }
  Index global(Index number) const { return number; }

 private:
  /// The owned columns as the list numbers them.
  struct OwnedColumns {
    Index first;
    std::uint64_t count;

    /// Counted from the first owned column, and so negative to the left of it.
    Index local(Column column) const { return static_cast<Index>(column) - first; }
    /// One comparison: as an unsigned number, a negative one is larger than any count.
    bool have(Index local) const { return static_cast<std::uint64_t>(local) < count; }
  };
  OwnedColumns owned_columns() const {
    return {base_ + layout_.columns.start, static_cast<std::uint64_t>(layout_.columns.size())};
  }

  RowLayout layout_;
  const Start* starts_;
  const Column* columns_;
  const void* values_;
  Index base_;
};

RowLayout layout_of(const CsrArrays& matrix);

/// Process-local. Opens the rows of three arrays.
/// @tparam Value   the type of the values, or one of the same representation
/// @param matrix   arrays that are consistent
/// @param visit    called once, with the rows
/// @returns what `visit` returns
template <class Value, class F>
decltype(auto) with_rows(const CsrArrays& matrix, F&& visit) {
  const ReadLease values(matrix.values), columns(matrix.columns), offsets(matrix.offsets);
  const RowLayout layout = layout_of(matrix);
  std::vector<Index> starts(layout.row_count() + 1);
  copy_local_offsets(matrix, starts.data());
  return visit_integers(matrix.columns, [&](const auto* list) -> decltype(auto) {
    return visit(ListRows<Index, std::decay_t<decltype(*list)>, Value>(
        layout, starts.data(), list, matrix.values.data(), matrix.index_base));
  });
}

/// Process-local. Requires columns that increase within a row, for a library that is to work on the
/// arrays themselves.
/// @param matrix  arrays that are consistent; `columns` and `offsets` are read
/// @param copy    the adapter's call that copies a matrix and sorts its rows
/// @throws NotRepresentable (`csr.column-order`) with the row and its columns
void require_increasing_columns(const CsrArrays& matrix, const Name& copy);
/// Process-local. Requires values on which a library can work: writable and aligned.
/// @param copy  the adapter's call that copies a matrix
/// @throws NotRepresentable (`csr.readonly`, `csr.alignment`)
void require_shareable(const Section& values, std::size_t alignment, const Name& copy);

/// Collective. Three arrays on new memory, for the entries of the rows of all ranks: the offsets
/// are written, and count from 0; the last offset is on the last rank.
/// @param starts  the first entry of each local row, then the number of entries
CsrArrays allocate_csr(const DataType& value, const DataType& column, const RowLayout& layout,
                       const std::vector<Index>& starts, Call& call);

/// Process-local. The first entry of each row, and the number of entries.
template <class Rows>
std::vector<Index> starts_of(const Rows& rows) {
  const std::size_t count = rows.layout().row_count();
  std::vector<Index> starts{0};
  starts.reserve(count + 1);
  for (std::size_t r = 0; r < count; ++r)
    starts.push_back(starts.back() + static_cast<Index>(rows.length(r)));
  return starts;
}

/// Process-local. Writes the rows to columns and values of `copy`; columns do not decrease within a
/// row.
template <class Column, class Rows>
void fill_rows(const Rows& rows, const CsrArrays& copy) {
  const RowLayout layout = rows.layout();
  auto* const columns = static_cast<Column*>(copy.columns.mutable_data());
  auto* const values = static_cast<typename Rows::Value*>(copy.values.mutable_data());
  std::size_t next = 0;
  for (std::size_t r = 0; r < layout.row_count(); ++r) {
    const std::size_t begin = next;
    const auto add = [&](Index column, const auto& value) {
      columns[next] = static_cast<Column>(column);
      values[next++] = value;
    };
    std::size_t lower = 0, others = 0;
    rows.row(
        r,
        [&](auto local, const auto& value) {
          add(layout.columns.start + static_cast<Index>(local), value);
        },
        [&](auto number, const auto& value) {
          const Index column = rows.global(number);
          if (column < layout.columns.start) ++lower;
          ++others;
          add(column, value);
        });
    if (Rows::owned_first && lower > 0) {
      // Mostly, that is the order of the columns.
      const std::size_t first = next - others;
      std::rotate(columns + begin, columns + first, columns + first + lower);
      std::rotate(values + begin, values + first, values + first + lower);
    }
    sort_row(columns + begin, columns + next, values + begin);
  }
}

/// Collective. A copy of the rows as three arrays, whose columns do not decrease within a row.
/// @tparam Column  the type of the columns
template <class Column, class Rows>
CsrArrays copy_rows(const Rows& rows, Call& call) {
  const RowLayout layout = rows.layout();
  const std::vector<Index> starts = call.check([&] { return starts_of(rows); });
  CsrArrays copy = allocate_csr(DataType::of<typename Rows::Value>(), DataType::of<Column>(),
                                layout, starts, call);
  return call.check([&] {
    fill_rows<Column>(rows, copy);
    return copy;
  });
}

}  // namespace daptor::adapter
