// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "daptor/csr.hpp"
#include "daptor/lease.hpp"
#include "daptor/terms.hpp"

/// \file
/// For authors of adapters: libraries want the columns of each row in increasing order and each of
/// them once, which a CsrArrays does not promise.

namespace daptor::adapter {

/// Process-local. Whether the columns of each row of this process increase.
/// @param matrix  arrays that are consistent; `columns` and `offsets` are read
bool columns_increase(const CsrArrays& matrix);
/// The same for a library that is to work on the arrays themselves.
/// @param copy  the adapter's call that copies a matrix and sorts its rows
/// @throws NotRepresentable (`csr.column-order`) with the row and its columns
void require_increasing_columns(const CsrArrays& matrix, const Name& copy);

/// Process-local. Value number `e` of a matrix, which may not be aligned in memory.
/// @tparam Scalar  the type of the values, or one of the same representation
template <class Scalar>
Scalar value_at(const void* values, std::size_t e) {
  Scalar value;
  std::memcpy(&value, static_cast<const std::byte*>(values) + e * sizeof(Scalar), sizeof(Scalar));
  return value;
}

/// A copy of the rows of one process. Columns are global, count from 0 and increase within a row.
template <class Scalar>
struct SortedRows {
  std::vector<Index> starts;  ///< first entry of each row, and the number of entries
  std::vector<Index> columns;
  std::vector<Scalar> values;
};

/// Process-local. Sorts a copy of this process's rows, and adds up the entries of a row that are in
/// one column, in their order, as products do.
/// @tparam Scalar  the type of the values, or one of the same representation
/// @param matrix   arrays that are consistent; all three are read
template <class Scalar>
SortedRows<Scalar> sorted_rows(const CsrArrays& matrix) {
  const ReadLease values(matrix.values), columns(matrix.columns), offsets(matrix.offsets);
  const auto rows = static_cast<std::size_t>(matrix.owned_rows().size());
  std::vector<Index> starts(rows + 1);
  copy_local_offsets(matrix, starts.data());
  const void* const given = matrix.values.data();
  SortedRows<Scalar> sorted;
  sorted.starts.reserve(rows + 1);
  sorted.starts.push_back(0);
  std::vector<std::pair<Index, Scalar>> row;
  visit_integers(matrix.columns, [&](const auto* column) {
    for (std::size_t r = 0; r < rows; ++r) {
      row.clear();
      for (Index e = starts[r]; e < starts[r + 1]; ++e)
        row.emplace_back(static_cast<Index>(column[e]) - matrix.index_base,
                         value_at<Scalar>(given, static_cast<std::size_t>(e)));
      std::stable_sort(row.begin(), row.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0 && row[i].first == row[i - 1].first) {
          sorted.values.back() += row[i].second;
        } else {
          sorted.columns.push_back(row[i].first);
          sorted.values.push_back(row[i].second);
        }
      }
      sorted.starts.push_back(static_cast<Index>(sorted.columns.size()));
    }
  });
  return sorted;
}

}  // namespace daptor::adapter
