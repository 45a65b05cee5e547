// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "create.hpp"
#include "daptor/datatype.hpp"
#include "daptor/hdf5/append.hpp"
#include "side_file.hpp"

namespace daptor::hdf5::detail {

/// A step that is to be added to a dataset.
struct NewStep {
  std::string name;          ///< of the dataset
  std::vector<Index> shape;  ///< of the step
  DataType type;
  Attributes attributes;  ///< of the dataset, if this is its first step
  Attributes numbers;     ///< of the step
  AppendOptions options;
};

/// Throws InvalidArgument (`hdf5.attribute`) for what cannot be kept with a step. Process-local.
void require_numbers(const Attributes& numbers);

/// A dataset that gets one more step. On one process, which locks the file during the lifetime of
/// this object.
///
/// If the dataset has place for the step, the elements go to the file itself; this only looks, and
/// `commit` counts the step. Otherwise they go to a side file, with a dataset that has place, to
/// which the earlier steps may have to be copied.
class Series {
 public:
  /// @throws InvalidArgument, LibraryFailed: see `append`
  Series(const std::string& path, NewStep step);
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;
  /// Without `commit`, what was there stays as it was.
  ~Series();

  bool in_place() const { return in_place_; }
  /// The number of the step.
  Index step() const { return number_; }
  /// How many of the first steps have to be copied from the file to the side file.
  Index copied() const { return copied_; }
  /// After all elements are in the file, which is closed in HDF5: from now on the step counts.
  /// @param sync  whether to wait until it is on the disk
  void commit(bool sync);

 private:
  struct Existing;
  static Existing look(const Handle& file, const std::string& path, const NewStep& step);
  void plan(const Handle& file, const Existing& existing);
  void create(bool copied);
  void grow(const Existing& existing, bool alone);
  void extend_copy();
  void make(const Handle& file, const Storage& storage, const Attributes& attributes,
            const Existing* existing);
  void count(const Handle& file) const;
  std::vector<Index> shape_with(Index steps) const;
  std::int64_t bytes_of_steps(Index steps) const;

  NewStep step_;
  std::unique_ptr<SideFile> side_;
  bool in_place_ = false, committed_ = false;
  Index number_ = 0, copied_ = 0;
};

}  // namespace daptor::hdf5::detail
