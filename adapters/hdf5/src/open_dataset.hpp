// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/datatype.hpp"
#include "descriptor.hpp"
#include "library.hpp"
#include "places.hpp"
#include "regions.hpp"
#include "whole_chunks.hpp"

namespace daptor::hdf5::detail {

/// A dataset that all ranks of a call have open, to move elements between it and memory. All
/// members are collective, and the same on all ranks but for the elements.
///
/// The dataset exists, with its type, shape and place: the ranks only move elements. Each of them
/// opens the file for itself, without MPI's files: what the system refuses to one of them, the
/// others are told, none of them waits in MPI for another, and nothing of a program that was
/// killed is in the way of the next one. HDF5's collective transfers are not used.
///
/// Reading is HDF5's, of any layout. There are three ways of writing:
/// - `places`: elements that lie in the file as in memory are written to their places by all ranks
///   at once;
/// - `chunks`: each rank compresses whole chunks, and rank 0 writes them;
/// - `turns`: one rank after the other opens the file in HDF5, and writes its elements.
class OpenDataset {
 public:
  enum class Access { read, write };

  /// @param shape  which the dataset must have; the first extent of one that can grow may be larger
  OpenDataset(Call& call, const std::string& path, const std::string& name, Access access,
              const std::vector<Index>& shape);
  OpenDataset(const OpenDataset&) = delete;
  OpenDataset& operator=(const OpenDataset&) = delete;
  ~OpenDataset();

  /// Regions of the file are those of a step from now on, which has the index `step` of the first
  /// dimension. Not collective.
  void select_step(Index step);
  /// Extents of the chunks that must be written whole, each by one rank; empty if there are none.
  std::vector<Index> whole_chunks() const;
  /// Changes the extents of a dataset that can grow, of which the first alone may differ.
  void resize(const std::vector<Index>& shape);
  /// @param type    of the elements in memory
  /// @param memory  the first element; null if there are none
  /// @param from, to  as many elements each, in the same order
  void write(const DataType& type, const void* memory, const MemoryRegion& from,
             const FileRegion& to);
  /// Not collective.
  void read(const DataType& type, void* memory, const MemoryRegion& to, const FileRegion& from);
  /// Ends the access. Throws what has failed on any rank since the dataset was opened.
  /// @param sync  whether to wait until what was written is on the disk
  void close(bool sync = false);

 private:
  enum class Way { places, chunks, turns };
  struct Alone;
  void open_to_look();
  void require_shape(const std::vector<Index>& shape) const;
  void choose_way();
  FileRegion in_dataset(const FileRegion& region) const;
  void write_alone(const Alone& opened, const DataType& type, const void* memory,
                   const MemoryRegion& from, const FileRegion& to) const;
  void write_chunks(const DataType& type, const void* memory, const MemoryRegion& from,
                    const FileRegion& to);
  /// Calls `work` on one rank after the other.
  template <class F>
  void in_turns(F&& work);
  /// Work of this rank. What it throws is kept for `close`: the other ranks go on.
  template <class F>
  void noted(const char* what, F&& work) noexcept;

  Call& call_;
  std::string path_, name_;
  Access access_;
  Way way_ = Way::turns;
  std::optional<Index> step_;
  Handle file_, dataset_;  // in this order: the dataset is closed first
  std::optional<Places> places_;
  std::optional<ChunkFilters> filters_;
  Descriptor written_;
  std::unique_ptr<Alone> alone_;
  std::exception_ptr failure_;
};

}  // namespace daptor::hdf5::detail
