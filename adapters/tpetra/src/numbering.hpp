// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/section.hpp"
#include "daptor/tpetra.hpp"

namespace daptor::tpetra {

// Rows are numbered by the dimensions of an array from `first` on.

std::vector<Dimension> row_dimensions(const Section& array, int first);

/// The number of rows of this process, or the largest integer if it does not fit in 64 bits (which
/// is possible beside an empty dimension of columns).
Index row_count(const Section& array, int first, Part part);

/// Adds the reasons why Tpetra's ordinals cannot number the rows of this process's section.
void add_numbering_reasons(const Section& array, int first, const MapOptions& options,
                           std::vector<Finding>& findings);

/// Whether the rows of this process's section have no communication padding, however many columns
/// there are.
bool without_ghosts(const Section& array, int first);

/// Whether the natural indices of each rank may be one run, according to what all ranks know: the
/// answer is the same on all ranks of a consistent array.
bool may_be_runs(const Section& array, int first);

/// The natural indices of this process's owned rows, if they are one run; an empty range if it owns
/// no rows.
std::optional<IndexRange> natural_run(const Section& array, int first);

/// Whether the runs of natural indices are known to follow each other in rank order, if all ranks
/// say so.
bool in_rank_order(const Section& array, int first, const Comm& comm);

/// Whether a dimension of the rows is unstructured.
bool has_lists(const Section& array, int first);

/// Whether the rows are those of no columns, so that no element has a number. Lists are the
/// caller's own numbers, and stay.
inline bool nothing_to_number(const Section& array, int first) {
  return first == 1 && array.dimension(0).global_size() == 0 && !has_lists(array, first);
}

/// An index that is twice in a list of the rows of this process, which breaks U04: a Map would find
/// it at one local index only. Padding of periodic dimensions may repeat indices. Takes a transient
/// list of 8 bytes per index where a list is not in ascending order.
std::optional<Finding> repeated_index(const Section& array, int first, Part part);

/// Number of bytes per index that a Map of the natural indices keeps.
double bytes_per_index(const Section& array, int first, Part part);

/// Whether owned elements of different processes are known to have different indices.
bool known_one_to_one(const Section& array, int first);

/// The natural indices of the rows, in row-major order of the section.
std::vector<Index> natural_rows(const Section& array, int first, Part part);

/// Collective. The contiguous indices of all rows of the sections, in row-major order. The call has
/// proven the array.
std::vector<Index> contiguous_rows(const Section& array, int first, Call& call);

/// Indices as Tpetra's global ordinals, with `index_base` added, in the memory of the given list.
class OrdinalList {
 public:
  OrdinalList() = default;
  OrdinalList(std::vector<Index> indices, Index index_base);

  const detail::GlobalOrdinal* data() const { return ordinals_; }
  std::size_t size() const { return storage_.size(); }

 private:
  std::vector<Index> storage_;
  const detail::GlobalOrdinal* ordinals_ = nullptr;
};

}  // namespace daptor::tpetra
