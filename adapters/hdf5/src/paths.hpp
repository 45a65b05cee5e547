// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

/// \file
/// Files as the operating system knows them. Everything here is process-local.

namespace daptor::hdf5::detail {

/// Throws InvalidArgument (`hdf5.path`) for a text that names no file.
void require_path(const std::string& path);
/// Throws InvalidArgument (`hdf5.name`) for a text that names no dataset.
void require_name(const std::string& name);

/// Throws for what the system has refused, with the text of `error` (errno): InvalidArgument
/// (`hdf5.access`) for what the user may not do, LibraryFailed where the disk is full
/// (`hdf5.space`) or the system has failed (`hdf5.io`).
/// @param what  what failed, as `'state.h5' cannot be opened`
[[noreturn]] void refuse_system(const std::string& what, int error);

/// Where symbolic links lead, also to a file that is not there; the path itself for another file
/// that is not there. Throws as `refuse_system` for links that lead nowhere else.
std::string resolved(const std::string& path);

/// Throws unless there is a file that can be read: `hdf5.missing`, `hdf5.access`, `hdf5.io`.
void require_readable(const std::string& path);

/// Waits until a file is on the disk. Throws as `refuse_system` does.
void sync_file(const std::string& path);

/// By which a file is recognized.
struct Stamp {
  std::uint64_t number = 0;
  std::int64_t size = 0, seconds = 0, nanoseconds = 0;

  friend bool operator==(const Stamp& a, const Stamp& b) {
    return a.number == b.number && a.size == b.size && a.seconds == b.seconds &&
           a.nanoseconds == b.nanoseconds;
  }
  friend bool operator!=(const Stamp& a, const Stamp& b) { return !(a == b); }
};
/// `nullopt` if there is no such file.
std::optional<Stamp> stamp_of(const std::string& path);
/// Throws InvalidArgument (`hdf5.unseen`) if this process does not see a file that rank 0 sees.
Stamp require_seen(const std::string& path);

}  // namespace daptor::hdf5::detail
