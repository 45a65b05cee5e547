// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/datatype.hpp"
#include "library.hpp"
#include "regions.hpp"

namespace daptor::hdf5::detail {

/// A dataset that all ranks of a call have open, to move elements between it and memory. All
/// members are collective, and the same on all ranks but for the elements.
///
/// The dataset exists, with its type, shape and place: the ranks only move elements. They do so
/// together, or, where HDF5 has no MPI, read by themselves and write one after the other.
class OpenDataset {
 public:
  enum class Access { read, write };

  /// @param shape  which the dataset must have; the first extent of one that can grow may be larger
  OpenDataset(Call& call, const std::string& path, const std::string& name, Access access,
              const std::vector<Index>& shape);
  OpenDataset(const OpenDataset&) = delete;
  OpenDataset& operator=(const OpenDataset&) = delete;
  /// Collective if `close` was not called: after an error, which all ranks have.
  ~OpenDataset() = default;

  /// Regions of the file are those of a step from now on, which has the index `step` of the first
  /// dimension. Not collective.
  void select_step(Index step) { step_ = step; }
  /// Changes the extents of a dataset that can grow, of which the first alone may differ.
  void resize(const std::vector<Index>& shape);
  /// @param type    of the elements in memory
  /// @param memory  the first element; null if there are none
  /// @param from, to  as many elements each, in the same order
  void write(const DataType& type, const void* memory, const MemoryRegion& from,
             const FileRegion& to);
  void read(const DataType& type, void* memory, const MemoryRegion& to, const FileRegion& from);
  /// Ends the access. Throws what has failed on any rank since the dataset was opened.
  /// @param sync  whether to wait until what was written is on the disk
  void close(bool sync = false);

 private:
  struct Selection;
  /// Throws on this process.
  Selection selection(const Handle& dataset, const DataType& type, const MemoryRegion& memory,
                      const FileRegion& file) const;
  Selection select(const DataType& type, const MemoryRegion& memory, const FileRegion& file);
  void write_in_turn(const DataType& type, const void* memory, const MemoryRegion& from,
                     const FileRegion& to);
  void resize_on_first(const std::vector<Index>& shape);
  /// Calls `work` on one rank after the other; what it throws is noted.
  template <class F>
  void in_turns(F&& work);
  template <class F>
  void noted(F&& work) noexcept;
  /// Notes a failure on this rank, for `close`: the other ranks go on.
  void note(herr_t status, const char* function) noexcept;
  void prepare_together();
  void open_together();
  void open_alone();
  void require_shape(const std::vector<Index>& shape) const;

  Call& call_;
  std::string path_, name_;
  Access access_;
  bool together_ = false;
  std::optional<Index> step_;
  Handle properties_, transfer_;
  Handle file_, dataset_;  // in this order: the dataset is closed first
  const char* failed_in_ = nullptr;
  std::string failure_;
};

}  // namespace daptor::hdf5::detail
