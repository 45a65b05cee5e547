// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "daptor/csr.hpp"
#include "daptor/lease.hpp"

namespace daptor::tpetra {

/// Where the owned columns are among the local ones.
enum class ColumnOrder {
  ascending,   ///< in the order of the global numbers
  owned_first  ///< before all others, which are in increasing order
};

/// Local numbers of the columns in the rows of one process. Process-local.
class LocalColumns {
 public:
  LocalColumns(const CsrArrays& matrix, ColumnOrder order) : owned_(matrix.owned_columns()) {
    const Index entries = matrix.owned_entries().size();
    visit_integers(matrix.columns, [&](const auto* columns) {
      for (Index e = 0; e < entries; ++e) {
        const Index column = static_cast<Index>(columns[e]) - matrix.index_base;
        if (!owned_.contains(column)) ghosts_.push_back(column);
      }
    });
    std::sort(ghosts_.begin(), ghosts_.end());
    ghosts_.erase(std::unique(ghosts_.begin(), ghosts_.end()), ghosts_.end());
    const auto below = std::lower_bound(ghosts_.begin(), ghosts_.end(), owned_.start);
    if (order == ColumnOrder::ascending) before_ = below - ghosts_.begin();
  }

  Index count() const { return owned_.size() + static_cast<Index>(ghosts_.size()); }
  bool owns(Index column) const { return owned_.contains(column); }
  Index local(Index column) const {
    if (owned_.contains(column)) return before_ + column - owned_.start;
    const Index g = std::lower_bound(ghosts_.begin(), ghosts_.end(), column) - ghosts_.begin();
    return g < before_ ? g : g + owned_.size();
  }
  /// Global number of each local column.
  template <class Global>
  std::vector<Global> list() const {
    std::vector<Global> all;
    all.reserve(static_cast<std::size_t>(count()));
    const auto append = [&](Index g) { all.push_back(static_cast<Global>(g)); };
    std::for_each(ghosts_.begin(), ghosts_.begin() + before_, append);
    for (Index c = owned_.start; c < owned_.stop; ++c) append(c);
    std::for_each(ghosts_.begin() + before_, ghosts_.end(), append);
    return all;
  }

 private:
  IndexRange owned_;
  std::vector<Index> ghosts_;
  Index before_ = 0;  ///< number of ghosts before the owned columns
};

}  // namespace daptor::tpetra
