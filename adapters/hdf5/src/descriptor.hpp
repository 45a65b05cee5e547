// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace daptor::hdf5::detail {

/// A file that this process has open, closed at the end.
class Descriptor {
 public:
  Descriptor() = default;
  Descriptor(const std::string& path, int flags)
      : file_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~Descriptor() { close_now(); }
  /// Negative if there is none.
  int get() const { return file_; }
  /// Returns what `close` does.
  int close_now() { return file_ < 0 ? 0 : close(std::exchange(file_, -1)); }

 private:
  int file_ = -1;
};

}  // namespace daptor::hdf5::detail
