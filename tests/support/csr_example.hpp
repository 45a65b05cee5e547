// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <mpi.h>

#include "daptor/builders.hpp"
#include "daptor/csr.hpp"

namespace daptor::test {

/// The 5 x 5 matrix of the Global Arrays documentation, with rows divided evenly; the last offset
/// is on the last rank that has rows.
///
///     0 0 1 3 0
///     2 0 0 0 5
///     0 7 0 9 0
///     3 0 4 0 5
///     0 2 0 0 6
template <class Index_, class Scalar = double>
struct CsrExample {
  CsrExample(GridPosition position, Index index_base) : grid(position), base(index_base) {
    static const Scalar all_values[] = {1, 3, 2, 5, 7, 9, 3, 4, 5, 2, 6};
    static const Index all_columns[] = {2, 3, 0, 4, 1, 3, 0, 2, 4, 1, 4};
    static const Index all_offsets[] = {0, 2, 4, 6, 9, 11};
    rows = even_block(5, grid);
    const bool last = !rows.empty() && rows.stop == 5;
    entries = {all_offsets[rows.start], all_offsets[rows.stop]};
    for (Index r = rows.start; r < rows.stop + (last ? 1 : 0); ++r)
      offsets.push_back(static_cast<Index_>(all_offsets[r] + base));
    for (Index e = entries.start; e < entries.stop; ++e) {
      values.push_back(all_values[e]);
      columns.push_back(static_cast<Index_>(all_columns[e] + base));
    }
  }

  /// The arrays refer to the vectors of this object.
  CsrArrays arrays(const Comm& comm = MPI_COMM_WORLD) {
    const IndexRange with_last = !rows.empty() && rows.stop == 5
                                     ? IndexRange{rows.start, 6}
                                     : (rows.empty() ? IndexRange{6, 6} : rows);
    return {describe(values.data(), {block(11, grid, entries)}).on(comm),
            describe(columns.data(), {block(11, grid, entries)}).on(comm),
            describe(offsets.data(), {block(6, grid, with_last)}).on(comm),
            5,
            5,
            base};
  }

  GridPosition grid;
  Index base;
  IndexRange rows, entries;
  std::vector<Scalar> values;
  std::vector<Index_> columns, offsets;
};

/// The same rows as a program may have them: columns decrease, and the first entry of each row is
/// in two parts.
template <class Index_, class Scalar = double>
struct UnsortedRows {
  explicit UnsortedRows(const CsrExample<Index_, Scalar>& example) {
    for (Index r = 0; r < example.rows.size(); ++r) {
      const Index first = start(example, r);
      lengths.push_back(start(example, r + 1) - first + 1);
      for (Index e = start(example, r + 1); e-- > first;) {
        const auto from = static_cast<std::size_t>(e);
        const Scalar part = e == first ? example.values[from] / Scalar(4) : Scalar(0);
        if (e == first) add(example.columns[from], part);
        add(example.columns[from], example.values[from] - part);
      }
    }
  }

  std::vector<Scalar> values;
  std::vector<Index_> columns;
  std::vector<Index> lengths;

 private:
  static Index start(const CsrExample<Index_, Scalar>& example, Index row) {
    if (row == example.rows.size()) return static_cast<Index>(example.values.size());
    return static_cast<Index>(example.offsets[static_cast<std::size_t>(row)]) - example.base -
           example.entries.start;
  }
  void add(Index_ column, Scalar value) {
    columns.push_back(column);
    values.push_back(value);
  }
};

}  // namespace daptor::test
