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
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace daptor::detail {
namespace {

std::atomic<bool> others{false};

/// Ranks that exchange less than about this do it in other ways, and a large page is 2 MiB.
constexpr std::size_t least_bytes = std::size_t{4} * 1024 * 1024;

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

#ifdef __linux__

constexpr std::size_t small_page = 4096;
constexpr std::size_t large_page = std::size_t{2} * 1024 * 1024;
/// Linux 6.1; the C library of Debian 12 does not name it.
constexpr int collapse = 25;

constexpr std::size_t up_to(std::size_t unit, std::size_t bytes) {
  return (bytes + unit - 1) / unit * unit;
}

/// All mappable memory of this process.
class MappableFile {
 public:
  static MappableFile& of_process() {
    // Arrays may be freed after everything else of the program.
    static auto* const file = new MappableFile;
    return *file;
  }

  /// Null, with errno, if the system refuses.
  std::byte* allocate(std::size_t bytes, bool large);
  static std::shared_ptr<void> owned(std::byte* data);
  void free(std::byte* data) noexcept;
  MappablePart part(const std::byte* first, std::size_t bytes);

 private:
  struct Piece {
    std::size_t bytes = 0;
    std::uint64_t begin = 0;
  };

  MappableFile() { pthread_atfork(before_fork, after_fork, after_fork_in_child); }
  static void before_fork() { of_process().mutex_.lock(); }
  static void after_fork() { of_process().mutex_.unlock(); }
  static void after_fork_in_child();

  bool own() const { return process_ == getpid(); }
  /// Where a new part of the file begins, which has room for `bytes` bytes.
  std::optional<std::uint64_t> extend(std::size_t bytes);
  std::byte* map(std::size_t bytes, std::uint64_t begin) const;
  static bool make_large(std::byte* data, std::size_t bytes);
  void release(std::byte* data, const Piece& piece) const noexcept;

  std::mutex mutex_;
  pid_t process_ = getpid();
  int file_ = -1;
  std::uint64_t end_ = 0;
  std::map<const std::byte*, Piece> pieces_;
};

/// A child's copy of memory is its own, as after every fork: it has other pages once it writes, and
/// none that others map.
void MappableFile::after_fork_in_child() {
  MappableFile& file = of_process();
  for (const auto& [data, piece] : file.pieces_)
    mmap(const_cast<std::byte*>(data), piece.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
         file.file_, static_cast<off_t>(piece.begin));
  file.mutex_.unlock();
}

std::optional<std::uint64_t> MappableFile::extend(std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!own()) return std::nullopt;
  if (file_ < 0) file_ = memfd_create(shared_file_name, MFD_CLOEXEC);
  const std::uint64_t end = end_ + up_to(large_page, bytes);
  if (file_ < 0 || !make_longer(file_, end)) return std::nullopt;
  return std::exchange(end_, end);
}

std::byte* MappableFile::map(std::size_t bytes, std::uint64_t begin) const {
  std::byte* const data = reserve_large_pages(bytes);
  if (data == nullptr || mmap(data, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_,
                              static_cast<off_t>(begin)) != MAP_FAILED)
    return data;
  const int why = errno;
  munmap(data, bytes);
  errno = why;
  return nullptr;
}

bool MappableFile::make_large(std::byte* data, std::size_t bytes) {
  const std::size_t whole = bytes / large_page * large_page;
  // The system collapses what is there, if only a little.
  for (std::size_t at = 0; at < whole; at += large_page)
    *reinterpret_cast<volatile std::byte*>(data + at) = std::byte{0};
  constexpr int tries = 3;
  for (int i = 0; i < tries; ++i) {
    if (whole == 0 || madvise(data, whole, collapse) == 0) return true;
    if (errno != EAGAIN) return false;
  }
  return false;
}

/// The pages are given back even if others have them mapped still.
void MappableFile::release(std::byte* data, const Piece& piece) const noexcept {
  munmap(data, piece.bytes);
  if (own())
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(piece.begin),
              static_cast<off_t>(piece.bytes));
}

std::byte* MappableFile::allocate(std::size_t bytes, bool large) {
  Piece piece{up_to(small_page, bytes), 0};
  const auto begin = extend(piece.bytes);
  if (!begin) return nullptr;
  piece.begin = *begin;
  std::byte* const data = map(piece.bytes, piece.begin);
  if (data == nullptr) return nullptr;
  if (!large || make_large(data, piece.bytes)) {
    try {
      const std::lock_guard<std::mutex> lock(mutex_);
      pieces_.emplace(data, piece);
      return data;
    } catch (const std::bad_alloc&) {
      errno = ENOMEM;
    }
  }
  const int why = errno;
  release(data, piece);
  errno = why;
  return nullptr;
}

void MappableFile::free(std::byte* data) noexcept {
  Piece piece;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto at = pieces_.find(data);
    piece = at->second;
    pieces_.erase(at);
  }
  release(data, piece);
}

std::shared_ptr<void> MappableFile::owned(std::byte* data) {
  if (data == nullptr) return nullptr;
  return {data, [](void* memory) { of_process().free(static_cast<std::byte*>(memory)); }};
}

MappablePart MappableFile::part(const std::byte* first, std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto at = pieces_.upper_bound(first);
  if (at == pieces_.begin() || !own()) return {};
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

std::byte* reserve_large_pages([[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  const std::size_t all = bytes + large_page;
  void* found = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
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
  if (worth_mapping(bytes))
    return MappableFile::owned(MappableFile::of_process().allocate(bytes, true));
#endif
  return nullptr;
}

std::shared_ptr<void> allocate_small_mappable([[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  if (bytes > 0) return MappableFile::owned(MappableFile::of_process().allocate(bytes, false));
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
  MappableFile& file = MappableFile::of_process();
  std::byte* const data = file.allocate(large_page, true);
  if (data == nullptr) return std::strerror(errno);
  file.free(data);
  return "";
#else
  return "not on this system";
#endif
}

}  // namespace daptor::detail
