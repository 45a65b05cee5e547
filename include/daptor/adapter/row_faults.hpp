// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "daptor/adapter/findings.hpp"
#include "daptor/types.hpp"

/// \file
/// For authors of adapters: what is wrong with the rows of a sparse matrix, whichever library has
/// it. Process-local.

namespace daptor::adapter {

/// How often something was found in the rows of this rank, and where first.
struct RowFault {
  Index count = 0;
  Index row = 0;     ///< global
  Index column = 0;  ///< global

  void note(Index at_row, Index at_column = 0) {
    if (count++ == 0) row = at_row, column = at_column;
  }
  /// `of_first`, and how many such rows there are.
  std::string text(const std::string& of_first) const { return of_first + such(count, "rows"); }
};

/// The rules `check.mat.…` about columns, for rows that are looked at one after the other.
struct RowFaults {
  RowFault empty, no_diagonal, twice, unordered;

  /// Looks at the columns of a row for two that are the same, or in another order than that of
  /// their local numbers.
  /// @param begin, end  local numbers
  /// @param row         global number
  /// @param global      gives the global number of a local one
  template <class Local, class Global>
  void look_at_columns(const Local* begin, const Local* end, Index row, const Global& global) {
    const Local* const disorder = std::is_sorted_until(begin, end);
    if (disorder == end) {
      note_twice(begin, end, row, global);
      return;
    }
    unordered.note(row, global(*disorder));
    std::vector<Local> sorted(begin, end);
    std::sort(sorted.begin(), sorted.end());
    note_twice(sorted.data(), sorted.data() + sorted.size(), row, global);
  }

  /// The same for a row whose entries on the diagonal are among these, or that has none.
  /// @param diagonal  local number
  /// @param elsewhere  whether the row has entries that are looked at by themselves
  template <class Local, class Global>
  void look_at_row(const Local* begin, const Local* end, Index row, Local diagonal,
                   const Global& global, bool elsewhere = false) {
    look_at_columns(begin, end, row, global);
    if (begin == end && !elsewhere)
      empty.note(row);
    else if (std::find(begin, end, diagonal) == end)
      no_diagonal.note(row);
  }

  /// @param square  whether rows without entries, and without one on the diagonal, are faults
  void tell(bool square, Findings& findings) const;

 private:
  template <class Local, class Global>
  void note_twice(const Local* begin, const Local* end, Index row, const Global& global) {
    const Local* const first = std::adjacent_find(begin, end);
    if (first != end) twice.note(row, global(*first));
  }
};

}  // namespace daptor::adapter
