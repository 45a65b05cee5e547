// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "daptor/dist_array.hpp"
#include "daptor/tpetra.hpp"

namespace daptor::tpetra {

// Rows are numbered by the dimensions of an array from `first` on.

std::vector<Dimension> row_dimensions(const DistArray& array, int first);

/// Adds why Tpetra's ordinals cannot number the rows of this process's section.
void add_numbering_reasons(const DistArray& array, int first, const MapOptions& options,
                           std::vector<Finding>& findings);

/// Elements of the logical array along the rows; nothing where 64 bits do not hold the number, or
/// where the lists of an unstructured dimension decide it.
std::optional<Index> global_rows(const DistArray& array, int first);

/// This process's section has no communication padding in its rows, however many columns it has.
bool without_ghosts(const DistArray& array, int first);

/// True where each rank's natural indices may be one run, as far as what all ranks know tells: the
/// same on all ranks of a consistent array.
bool may_be_runs(const DistArray& array, int first);

/// The natural indices of this process's owned rows where they are one run. An empty range where
/// there are none.
std::optional<IndexRange> natural_run(const DistArray& array, int first);

/// Bytes an index that a Map of the natural indices keeps.
double bytes_per_index(const DistArray& array, int first, Part part);

/// True where owned elements of different processes are known to have different indices.
bool known_one_to_one(const DistArray& array, int first);

/// Natural indices as Tpetra's global ordinals, `index_base` added, in row-major order of the
/// section. Takes one list of 8 bytes an index.
class OrdinalList {
 public:
  OrdinalList() = default;
  OrdinalList(const DistArray& array, int first, const MapOptions& options);

  const detail::GlobalOrdinal* data() const { return ordinals_; }
  std::size_t size() const { return storage_.size(); }

 private:
  std::vector<Index> storage_;
  const detail::GlobalOrdinal* ordinals_ = nullptr;
};

}  // namespace daptor::tpetra
