// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/comm.hpp"
#include "daptor/datatype.hpp"
#include "daptor/dist_array.hpp"
#include "regions.hpp"

namespace daptor::hdf5::detail {

/// A stage of the array in the file, in even slabs on the processes, on memory of its own.
struct Slab {
  DistArray array;
  FileRegion file;
  MemoryRegion memory;
};
/// Process-local. The elements are not set.
Slab make_slab(const Stages& stages, Index number, const std::vector<Index>& shape,
               const DataType& type, const Comm& comm);

/// Those elements of an array that belong to a stage, on memory of their own.
///
/// Example: rows 0, 2, 4, 6 of a process are cyclic rows; in the stage [4, 8) its part has rows 4
/// and 6.
class Part {
 public:
  /// Process-local. The elements are not set.
  /// @param view  the array in the file's shape (FileView), which must outlive this
  Part(const DistArray& view, const Stages& stages, Index number);

  const DistArray& array() const { return array_; }
  /// Copies the elements to their places in the view's memory. Process-local.
  void copy_to_view() const;

 private:
  void copy(const Section& source, const Section& target, void* memory) const;

  const DistArray& view_;
  int dimension_;
  std::vector<Index> positions_;  ///< local indices in the view, along the dimension
  DistArray array_;
};

}  // namespace daptor::hdf5::detail
