// SPDX-License-Identifier: BSD-3-Clause
#include "section/mappable_memory.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#ifdef __linux__
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace daptor::detail {
namespace {

std::atomic<bool> others{false};

#ifdef __linux__

/// Ranks that exchange less than about this do it in other ways.
constexpr std::size_t least_bytes = std::size_t{4} * 1024 * 1024;
/// Of x86-64, and of Arm where it has small pages like these. With others nothing is mappable.
constexpr std::size_t small_page = 4096;
constexpr std::size_t large_page = std::size_t{2} * 1024 * 1024;
/// Linux 6.1; the C library of Debian 12 does not name it.
constexpr int collapse = 25;

bool worth_mapping(std::size_t bytes) {
  if (!others || bytes == 0) return false;
  switch (said_within_node().value_or(WithinNode::quicker)) {
    case WithinNode::messages:
      return false;
    case WithinNode::direct:
      return true;
    case WithinNode::quicker:
      break;
  }
  return bytes >= least_bytes;
}

constexpr std::size_t up_to(std::size_t unit, std::size_t bytes) {
  return (bytes + unit - 1) / unit * unit;
}

/// All mappable memory of this process.
///
/// A child of `fork` has none of it: what it read would be what its parent writes later. It ends by
/// a signal if it uses such memory, like that of MPI libraries which network cards use.
class MappableFile {
 public:
  static MappableFile& of_process() {
    // Arrays may be freed after everything else of the program.
    static auto* const file = new MappableFile;
    return *file;
  }

  /// Null, with errno, if the system refuses.
  std::shared_ptr<void> allocate(std::size_t bytes, bool large);
  MappablePart part(const std::byte* first, std::size_t bytes);

 private:
  struct Piece {
    std::size_t bytes = 0;
    std::uint64_t begin = 0;
  };

  /// Whether the file is open, and in this process: it is not in a child, and programs close files
  /// that they do not know.
  bool usable() const;
  bool open();
  /// A new part of the file, which has room for `bytes` bytes.
  std::optional<Piece> extend(std::size_t bytes);
  std::byte* map(const Piece& piece) const;
  bool fill(std::byte* data, const Piece& piece, bool large) const;
  static void release(std::byte* data, const Piece& piece) noexcept;
  void free(std::byte* data) noexcept;

  std::mutex mutex_;
  const pid_t process_ = getpid();
  int file_ = -1;
  struct stat opened_ {};
  std::uint64_t end_ = 0;
  std::map<const std::byte*, Piece> pieces_;
};

bool MappableFile::usable() const {
  struct stat found {};
  return process_ == getpid() && file_ >= 0 && fstat(file_, &found) == 0 &&
         found.st_dev == opened_.st_dev && found.st_ino == opened_.st_ino;
}

/// Once, and never again if the file is lost: others may have parts of it mapped.
bool MappableFile::open() {
  if (file_ < 0 && sysconf(_SC_PAGESIZE) == static_cast<long>(small_page)) {
    file_ = memfd_create(shared_file_name, MFD_CLOEXEC);
    if (file_ >= 0) fstat(file_, &opened_);
  }
  return usable();
}

std::optional<MappableFile::Piece> MappableFile::extend(std::size_t bytes) {
  errno = EBADF;
  if (process_ != getpid()) return std::nullopt;
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::uint64_t end = end_ + up_to(large_page, bytes);
  if (end < end_ || !open() || !make_longer(file_, end)) return std::nullopt;
  return Piece{up_to(small_page, bytes), std::exchange(end_, end)};
}

std::byte* MappableFile::map(const Piece& piece) const {
  // As much as the system has at all: a file's pages are counted only one by one.
  std::byte* const data = reserve_large_pages(piece.bytes, true);
  if (data == nullptr) return nullptr;
  if (mmap(data, piece.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_,
           static_cast<off_t>(piece.begin)) != MAP_FAILED &&
      madvise(data, piece.bytes, MADV_DONTFORK) == 0)
    return data;
  const int why = errno;
  munmap(data, piece.bytes);
  errno = why;
  return nullptr;
}

/// Gets all pages of a piece, so that none is missing when it is used.
bool MappableFile::fill(std::byte* data, const Piece& piece, bool large) const {
  const std::size_t whole = large ? piece.bytes / large_page * large_page : 0;
  const auto at = [&](std::size_t offset) { return static_cast<off_t>(piece.begin + offset); };
  if (whole < piece.bytes &&
      fallocate(file_, 0, at(whole), static_cast<off_t>(piece.bytes - whole)) != 0)
    return false;
  // The system collapses what is there, if only a little.
  for (std::size_t offset = 0; offset < whole; offset += large_page)
    if (pwrite(file_, "", 1, at(offset)) != 1) return false;
  constexpr int tries = 3;
  for (int i = 0; i < tries; ++i) {
    if (whole == 0 || madvise(data, whole, collapse) == 0) return true;
    if (errno != EAGAIN) return false;
  }
  return false;
}

/// The pages are given back even if others have them mapped still.
void MappableFile::release(std::byte* data, const Piece& piece) noexcept {
  madvise(data, piece.bytes, MADV_REMOVE);
  munmap(data, piece.bytes);
}

std::shared_ptr<void> MappableFile::allocate(std::size_t bytes, bool large) {
  const auto piece = extend(bytes);
  std::byte* const data = piece ? map(*piece) : nullptr;
  if (data == nullptr) return nullptr;
  if (fill(data, *piece, large)) {
    try {
      const std::lock_guard<std::mutex> lock(mutex_);
      pieces_.emplace(data, *piece);
    } catch (...) {
      release(data, *piece);
      throw;
    }
    return {data, [](void* memory) { of_process().free(static_cast<std::byte*>(memory)); }};
  }
  const int why = errno;
  release(data, *piece);
  errno = why;
  return nullptr;
}

void MappableFile::free(std::byte* data) noexcept {
  // In a child something else may be at the address.
  if (process_ != getpid()) return;
  Piece piece;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto at = pieces_.find(data);
    piece = at->second;
    pieces_.erase(at);
  }
  release(data, piece);
}

MappablePart MappableFile::part(const std::byte* first, std::size_t bytes) {
  if (process_ != getpid()) return {};
  const std::lock_guard<std::mutex> lock(mutex_);
  auto at = pieces_.upper_bound(first);
  if (at == pieces_.begin() || !usable()) return {};
  const auto& [data, piece] = *--at;
  const auto offset = static_cast<std::size_t>(first - data);
  if (offset > piece.bytes || bytes > piece.bytes - offset) return {};
  return {file_, piece.begin, piece.bytes, offset};
}

#endif

}  // namespace

bool make_longer([[maybe_unused]] int file, [[maybe_unused]] std::uint64_t bytes) {
#ifdef __linux__
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes) {
    errno = EFBIG;  // ftruncate would end the process by a signal
    return false;
  }
  return ftruncate(file, static_cast<off_t>(bytes)) == 0;
#else
  errno = ENOSYS;
  return false;
#endif
}

std::byte* reserve_large_pages([[maybe_unused]] std::size_t bytes, [[maybe_unused]] bool counted) {
#ifdef __linux__
  const std::size_t all = bytes + large_page;
  void* found = all < bytes
                    ? MAP_FAILED
                    : mmap(nullptr, all, counted ? PROT_READ | PROT_WRITE : PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | (counted ? 0 : MAP_NORESERVE), -1, 0);
  if (found == MAP_FAILED) return nullptr;
  auto* const first = static_cast<std::byte*>(found);
  std::size_t room = all;
  auto* const data = static_cast<std::byte*>(std::align(large_page, bytes, found, room));
  const auto before = static_cast<std::size_t>(data - first);
  if (before > 0) munmap(first, before);
  munmap(data + bytes, large_page - before);
  return data;
#else
  errno = ENOSYS;
  return nullptr;
#endif
}

void expect_other_processes() noexcept {
  others = true;
}

std::optional<WithinNode> said_within_node() {
  const char* const text = std::getenv("DAPTOR_NODE");
  return text == nullptr ? std::nullopt : enumerator_of<WithinNode>(text);
}

std::shared_ptr<void> allocate_mappable([[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  if (worth_mapping(bytes)) return MappableFile::of_process().allocate(bytes, true);
#endif
  return nullptr;
}

std::shared_ptr<void> allocate_small_mappable([[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  if (bytes > 0) return MappableFile::of_process().allocate(bytes, false);
#endif
  return nullptr;
}

MappablePart mappable_part([[maybe_unused]] const std::byte* first,
                           [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  if (others && bytes > 0) return MappableFile::of_process().part(first, bytes);
#endif
  return {};
}

std::string why_not_mappable() {
#ifdef __linux__
  return MappableFile::of_process().allocate(large_page, true) ? "" : std::strerror(errno);
#else
  return "not on this system";
#endif
}

}  // namespace daptor::detail
