// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <hdf5.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/types.hpp"

/// \file
/// Calls of HDF5: identifiers that are closed, and errors with HDF5's own text.

namespace daptor::hdf5::detail {

/// HDF5 prints no errors during the lifetime of this object; they are thrown.
class QuietErrors {
 public:
  QuietErrors();
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;
  ~QuietErrors();

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Whether the ranks write one after the other: the environment variable DAPTOR_HDF5_ONE_WRITER is
/// set to 1, for file systems on which processes cannot write to one file at once. Process-local.
bool one_writer_at_a_time();

/// What HDF5 says about its last error, innermost first; empty if there was none. Process-local.
std::string error_text();

/// Throws LibraryFailed (`library.hdf5`) with HDF5's text. Process-local.
[[noreturn]] void fail(const char* function);

/// Throws as `refuse_system` does if HDF5's text says that the system has refused something.
/// Process-local.
/// @param what  what failed then, as `'state.h5' cannot be written`
void refuse_if_system(const std::string& what, const std::string& text);
/// Runs work with HDF5. Where the system has refused something to HDF5, throws that instead, as
/// `refuse_system` does. Process-local.
/// @param what  what failed then, as `'state.h5' cannot be written`
void explained(const std::string& what, const std::function<void()>& work);

/// The status or identifier that a function of HDF5 returned; throws if it is negative.
template <class Status>
Status checked(Status status, const char* function) {
  if (status < 0) fail(function);
  return status;
}

/// An identifier, closed by the function for its kind.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  /// @param id        what `function` returned; an error is thrown
  /// @param close     closes the identifier
  /// @param function  for the error
  Handle(hid_t id, Close close, const char* function) : id_(checked(id, function)), close_(close) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t get() const { return id_; }
  /// Closes now. Returns the status.
  herr_t close_now() { return id_ < 0 ? 0 : close_(std::exchange(id_, H5I_INVALID_HID)); }
  /// Closes now, and throws if that fails.
  void close_or_throw(const char* function) { checked(close_now(), function); }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Opens a file for reading and writing, or makes it. Process-local.
Handle open_writable(const std::string& path, bool make);

/// As HDF5 takes them.
inline std::vector<hsize_t> sizes(const std::vector<Index>& numbers) {
  return {numbers.begin(), numbers.end()};
}
/// The extents of a dataset. Process-local.
std::vector<hsize_t> extents_of(hid_t dataset);

}  // namespace daptor::hdf5::detail
