// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "descriptor.hpp"

namespace daptor::hdf5::detail {

/// The name of the file that is written beside another one; of a symbolic link, that to which it
/// leads. Process-local.
std::string side_path(const std::string& path);

/// A file that is written beside another one, and takes its place in the end. On one process.
///
/// Its name is that of the other with `.daptor-part` behind it. It is locked as long as this object
/// lives, so that two programs do not write it at once; what a killed program has left is written
/// anew. The other file is locked too, so that no program opens it with HDF5 to write. Not movable.
class SideFile {
 public:
  /// Creates the file, empty.
  /// @param path  the file whose place it takes; of a symbolic link, that to which it leads
  /// @throws InvalidArgument: `hdf5.directory`, `hdf5.access`, `hdf5.busy`: another program saves
  ///   to the file, or has it open for writing; LibraryFailed (`hdf5.space`, `hdf5.io`)
  explicit SideFile(const std::string& path);
  SideFile(const SideFile&) = delete;
  SideFile& operator=(const SideFile&) = delete;
  /// Removes the file unless it was committed.
  ~SideFile();

  const std::string& path() const { return side_; }
  /// The file whose place it takes.
  const std::string& target() const { return target_; }
  /// Copies the contents of the other file.
  void copy_target();
  /// Throws (`hdf5.space`) if the file cannot become longer by this many bytes, as far as the
  /// system says.
  void require_room(std::int64_t bytes) const;
  /// Reserves room on the disk for the length that the file has, and for so many bytes more, so
  /// that writing it cannot fail for lack of room. What is not used is given back by `commit`.
  void reserve(std::int64_t more = 0);
  /// Puts the file in the place of the other one, at once.
  /// @param sync  whether to wait until it is on the disk
  void commit(bool sync);
  /// Ends the locks, so that other programs may open both files.
  void unlock();

 private:
  void lock_target();
  void open_and_lock();
  void keep_mode();
  std::uint64_t length() const;

  std::string target_, side_;
  Descriptor file_, target_file_;
  bool committed_ = false, reserved_more_ = false;
};

}  // namespace daptor::hdf5::detail
