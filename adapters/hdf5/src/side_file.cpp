// SPDX-License-Identifier: BSD-3-Clause
#include "side_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "descriptor.hpp"
#include "paths.hpp"

namespace daptor::hdf5::detail {
namespace {

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

void write_all(int file, const char* bytes, std::size_t count, const std::string& what) {
  while (count > 0) {
    const ssize_t written = write(file, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse_system(what, errno);
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
}

/// Copies the rest of a file through memory, where the system does not copy by itself.
void copy_through_memory(int from, int to, const std::string& what) {
  std::vector<char> buffer(std::size_t{1} << 20);
  for (;;) {
    const ssize_t count = read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse_system(what, errno);
    if (count == 0) return;
    write_all(to, buffer.data(), static_cast<std::size_t>(count), what);
  }
}

/// Whether a failed copy by the system only means that it does not do such a thing here.
bool cannot_copy(int error) {
  return error == EXDEV || error == EINVAL || error == ENOSYS || error == EOPNOTSUPP ||
         error == EBADF;
}

}  // namespace

std::string side_path(const std::string& path) {
  return resolved(path) + ".daptor-part";
}

SideFile::SideFile(const std::string& path) : target_(resolved(path)), side_(side_path(path)) {
  struct stat directory {};
  if (stat(directory_of(target_).c_str(), &directory) != 0 || !S_ISDIR(directory.st_mode))
    adapter::refuse_argument("hdf5.directory", "no directory '" + directory_of(target_) + "'",
                             "an existing directory for '" + path + "'", "Make it first.");
  if (access(target_.c_str(), F_OK) == 0 && access(target_.c_str(), W_OK) != 0)
    refuse_system("'" + target_ + "' cannot be written", errno);
  open_and_lock();
  try {
    lock_target();
    if (ftruncate(file_.get(), 0) != 0) refuse_system("'" + side_ + "' cannot be written", errno);
    keep_mode();
  } catch (...) {
    unlink(side_.c_str());
    throw;
  }
}

// HDF5 locks a file that it has open for writing, and h5py has HDF5 do so. Not every file system
// has locks.
void SideFile::lock_target() {
  struct stat status {};
  if (stat(target_.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  target_file_ = Descriptor(target_, O_RDONLY);
  if (target_file_.get() < 0) {
    if (errno == EACCES) return;  // a file that may be written alone is told later
    refuse_system("'" + target_ + "' cannot be read", errno);
  }
  if (flock(target_file_.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    adapter::refuse_argument("hdf5.busy", "'" + target_ + "', which a program has open for writing",
                             "a file that nobody writes meanwhile",
                             "Close it there first, or save to another file.");
}

/// Gives the file the permissions of the one that it replaces, as far as the system lets it.
void SideFile::keep_mode() {
  struct stat status {};
  if (stat(target_.c_str(), &status) == 0 && fchmod(file_.get(), status.st_mode & 07777) != 0)
    return;
}

// Another program may have locked the file and be about to give it its final name: then the lock
// that comes free is that of the finished file, and another side file is needed.
void SideFile::open_and_lock() {
  for (;;) {
    file_ = Descriptor(side_, O_RDWR | O_CREAT);
    if (file_.get() < 0) refuse_system("'" + side_ + "' cannot be written", errno);
    const bool locked = flock(file_.get(), LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno == EWOULDBLOCK)
      adapter::refuse_argument("hdf5.busy", "'" + side_ + "', which another program writes",
                               "one program that saves to '" + target_ + "'",
                               "Wait for the other one, or save to another file.");
    struct stat mine {
    }, named{};
    if (fstat(file_.get(), &mine) == 0 && stat(side_.c_str(), &named) == 0 &&
        mine.st_ino == named.st_ino && mine.st_dev == named.st_dev)
      return;
    file_.close_now();
  }
}

SideFile::~SideFile() {
  if (!committed_) unlink(side_.c_str());
  unlock();
}

// A copy of a descriptor in another process, after a fork, would keep the lock.
void SideFile::unlock() {
  for (Descriptor* each : {&file_, &target_file_}) {
    if (each->get() >= 0) flock(each->get(), LOCK_UN);
    each->close_now();
  }
}

void SideFile::copy_target() {
  const std::string what = "'" + target_ + "' cannot be copied to '" + side_ + "'";
  const Descriptor from(target_, O_RDONLY);
  struct stat status {};
  if (from.get() < 0 || fstat(from.get(), &status) != 0) refuse_system(what, errno);
#ifdef __linux__
  for (;;) {
    const ssize_t count =
        copy_file_range(from.get(), nullptr, file_.get(), nullptr, std::size_t{1} << 30, 0);
    if (count > 0) continue;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && !cannot_copy(errno)) refuse_system(what, errno);
    break;
  }
#endif
  copy_through_memory(from.get(), file_.get(), what);
}

void SideFile::require_room(std::int64_t bytes) const {
  const std::string what =
      "no room for " + std::to_string(bytes) + " bytes more in '" + side_ + "'";
  const auto wanted = static_cast<std::uint64_t>(bytes);
  struct statvfs disk {};
  if (fstatvfs(file_.get(), &disk) == 0 && disk.f_blocks > 0 &&
      wanted / disk.f_frsize > disk.f_bavail)
    refuse_system(what, ENOSPC);
  struct rlimit limit {};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      wanted + length() > limit.rlim_cur)
    refuse_system(what, EFBIG);
}

std::uint64_t SideFile::length() const {
  struct stat status {};
  if (fstat(file_.get(), &status) != 0) refuse_system("'" + side_ + "' cannot be read", errno);
  return static_cast<std::uint64_t>(status.st_size);
}

void SideFile::reserve(std::int64_t more) {
#ifdef __linux__
  const off_t bytes = static_cast<off_t>(length()) + more;
  reserved_more_ = more > 0;
  while (bytes > 0 && fallocate(file_.get(), FALLOC_FL_KEEP_SIZE, 0, bytes) != 0) {
    if (errno == EINTR) continue;
    // Some file systems cannot reserve.
    if (cannot_copy(errno)) return;
    refuse_system("no room for the " + std::to_string(bytes) + " bytes of '" + side_ + "'", errno);
  }
#endif
}

void SideFile::commit(bool sync) {
  // The end is where HDF5 has left it.
  if (reserved_more_ && ftruncate(file_.get(), static_cast<off_t>(length())) != 0)
    refuse_system("'" + side_ + "' cannot be written", errno);
  if (sync && fsync(file_.get()) != 0) refuse_system("'" + side_ + "' cannot be written", errno);
  if (std::rename(side_.c_str(), target_.c_str()) != 0)
    refuse_system("'" + side_ + "' cannot be renamed to '" + target_ + "'", errno);
  committed_ = true;
  unlock();
  if (!sync) return;
  // The name is on the disk when the directory is. Some file systems cannot be asked.
  const Descriptor directory(directory_of(target_), O_RDONLY | O_DIRECTORY);
  if (directory.get() >= 0 && fsync(directory.get()) != 0) return;
}

}  // namespace daptor::hdf5::detail
