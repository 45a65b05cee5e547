// SPDX-License-Identifier: BSD-3-Clause
#include "paths.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "descriptor.hpp"

namespace daptor::hdf5::detail {

void require_path(const std::string& path) {
  if (!path.empty() && path.find('\0') == std::string::npos && path.back() != '/') return;
  adapter::refuse_argument("hdf5.path", "the path '" + path + "'", "the path of a file");
}

void require_name(const std::string& name) {
  bool valid = !name.empty() && name.find('\0') == std::string::npos;
  // Every part between slashes, but the empty one before a leading slash.
  for (std::size_t begin = name.rfind('/', 0) == 0 ? 1 : 0; valid && begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    valid = !part.empty() && part != ".";
    begin = end + 1;
  }
  if (!valid)
    adapter::refuse_argument("hdf5.name", "the name '" + name + "'",
                             "the name of a dataset, such as 'run/temperature'");
}

namespace {

/// Whether it is for the user to change, rather than a failure of the system.
bool is_forbidden(int error) {
  for (const int each : {EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG,
                         ETXTBSY, EEXIST, ENXIO, ENODEV})
    if (error == each) return true;
  return false;
}

}  // namespace

void refuse_system(const std::string& what, int error) {
  const Terms found = what + ": " + std::generic_category().message(error);
  if (error == ENOSPC || error == EDQUOT || error == EFBIG)
    throw LibraryFailed(error_finding("hdf5.space", -1, "", found, "room for the whole file",
                                      "Make room, or save to another place; what was there is "
                                      "unchanged."));
  if (error == EMFILE || error == ENFILE)
    throw LibraryFailed(error_finding("hdf5.io", -1, "", found, "a file descriptor for the file",
                                      "Close files, or raise the limit (ulimit -n)."));
  if (!is_forbidden(error))
    throw LibraryFailed(error_finding("hdf5.io", -1, "", found, "a file system that works",
                                      "Look at the disk or the network, or use another place."));
  adapter::refuse_argument("hdf5.access", found, "a file that this process may use",
                           "Check owner and permissions of the file and of its directory.");
}

std::string resolved(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  if (real != nullptr) return real.get();
  // As many links as Linux follows.
  std::string at = path;
  for (int links = 0; links < 40; ++links) {
    std::error_code none;
    const std::filesystem::path to = std::filesystem::read_symlink(at, none);
    if (none) return at;
    at = (std::filesystem::path(at).parent_path() / to).string();
  }
  refuse_system("'" + path + "' cannot be opened", ELOOP);
}

void require_readable(const std::string& path) {
  struct stat status {};
  if (!stamp_of(path))
    adapter::refuse_argument("hdf5.missing", "no file '" + path + "'", "an existing file",
                             "Check the path.");
  if (stat(path.c_str(), &status) != 0) refuse_system("'" + path + "' cannot be opened", errno);
  if (!S_ISREG(status.st_mode))
    adapter::refuse_argument("hdf5.access", "'" + path + "', which is no regular file", "a file",
                             "Check the path.");
  const Descriptor file(path, O_RDONLY);
  if (file.get() < 0) refuse_system("'" + path + "' cannot be read", errno);
}

void sync_file(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  if (file.get() < 0 || fsync(file.get()) != 0)
    refuse_system("'" + path + "' cannot be written", errno);
}

std::optional<Stamp> stamp_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return Stamp{status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

Stamp require_seen(const std::string& path) {
  const std::optional<Stamp> stamp = stamp_of(path);
  if (!stamp)
    adapter::refuse_argument("hdf5.unseen", "no file '" + path + "' on this process",
                             "the file that rank 0 sees",
                             "Use a file system that all processes share, and an absolute path.");
  return *stamp;
}

}  // namespace daptor::hdf5::detail
