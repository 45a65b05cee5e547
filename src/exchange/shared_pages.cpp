// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/shared_pages.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "section/mappable_memory.hpp"

#ifdef __linux__
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace daptor::detail {
SharedPages::SharedPages(SharedPages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      file_(std::exchange(other.file_, -1)) {}

SharedPages& SharedPages::operator=(SharedPages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(file_, other.file_);
  return *this;
}

SharedPages::~SharedPages() {
#ifdef __linux__
  if (data_ != nullptr) munmap(data_, size_);
#endif
  close();
}

void SharedPages::close() {
#ifdef __linux__
  if (file_ >= 0) ::close(file_);
#endif
  file_ = -1;
}

void SharedPages::map([[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (data == MAP_FAILED) return;
  data_ = static_cast<std::byte*>(data);
  size_ = bytes;
#endif
}

void SharedPages::map_to_read([[maybe_unused]] std::uint64_t begin,
                              [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  std::byte* const data = reserve_large_pages(bytes, false);
  if (data == nullptr) return;
  data_ = data;
  size_ = bytes;
  if (mmap(data, bytes, PROT_READ, MAP_SHARED | MAP_FIXED, file_, static_cast<off_t>(begin)) ==
      MAP_FAILED) {
    const int why = errno;
    *this = SharedPages();
    errno = why;
  }
#endif
}

SharedPages SharedPages::make([[maybe_unused]] std::size_t bytes) {
  SharedPages made;
#ifdef __linux__
  made.file_ = memfd_create(shared_file_name, MFD_CLOEXEC);
  if (made.file_ >= 0 && make_longer(made.file_, bytes)) made.map(bytes);
#endif
  return made;
}

bool SharedPages::open_file([[maybe_unused]] std::int64_t process,
                            [[maybe_unused]] std::int64_t file, [[maybe_unused]] bool to_write) {
#ifdef __linux__
  // In another namespace of processes, the numbers may be those of any file, which is not opened.
  const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(file);
  const std::string wanted = std::string("/memfd:") + shared_file_name;
  std::array<char, 64> name{};
  const ssize_t length = readlink(path.c_str(), name.data(), name.size());
  if (length < 0 ||
      std::string(name.data(), static_cast<std::size_t>(length)).rfind(wanted, 0) != 0)
    return false;
  file_ = open(path.c_str(), (to_write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  return file_ >= 0;
#else
  return false;
#endif
}

SharedPages SharedPages::of([[maybe_unused]] std::int64_t process,
                            [[maybe_unused]] std::int64_t file,
                            [[maybe_unused]] std::size_t bytes) {
  SharedPages found;
#ifdef __linux__
  if (found.open_file(process, file, true) &&
      lseek(found.file_, 0, SEEK_END) == static_cast<off_t>(bytes))
    found.map(bytes);
  found.close();
#endif
  return found;
}

SharedPages SharedPages::to_read([[maybe_unused]] std::int64_t process,
                                 [[maybe_unused]] std::int64_t file,
                                 [[maybe_unused]] std::uint64_t begin,
                                 [[maybe_unused]] std::size_t bytes) {
  SharedPages found;
#ifdef __linux__
  if (found.open_file(process, file, false) &&
      lseek(found.file_, 0, SEEK_END) >= static_cast<off_t>(begin + bytes))
    found.map_to_read(begin, bytes);
  found.close();
#endif
  return found;
}

Arrival::Arrival(const SharedPages& pages, const Letter& letter, std::size_t bytes)
    : filled_(letter.filled) {
  const std::size_t size = sizeof(PlaceState) + bytes;
  if (letter.place % alignof(PlaceState) != 0 || letter.place < first_page || size > pages.size() ||
      letter.place > pages.size() - size)
    throw std::out_of_range("a place outside of the pages");
  state_ = reinterpret_cast<PlaceState*>(pages.data() + letter.place);
  data_ = reinterpret_cast<const std::byte*>(state_ + 1);
  if (state_->filled.load(std::memory_order_seq_cst) != filled_)
    throw std::out_of_range("a place that was filled another time");
}

Place::Place(std::byte* pages, std::size_t offset)
    : state_(::new (pages + offset) PlaceState{{0}, {0}}), offset_(offset) {}

Outbox::Outbox(SharedPages pages, std::size_t reserved) : pages_(std::move(pages)) {
  parts_.reserve(reserved);
  parts_.push_back({first_page, pages_.size() - first_page, {}, false});
}

/// The first of several free parts gets the room of all of them.
void Outbox::join_free_parts() {
  std::size_t kept = 0;
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    if (parts_[kept].free() && parts_[i].free()) {
      parts_[kept].size += parts_[i].size;
      parts_[kept].left = {};
    } else {
      parts_[++kept] = parts_[i];
    }
  }
  parts_.resize(kept + 1);
}

Place Outbox::take(std::size_t bytes) {
  constexpr std::size_t line = alignof(PlaceState);
  const std::size_t size = sizeof(PlaceState) + (bytes + line - 1) / line * line;
  const std::lock_guard<std::mutex> lock(mutex_);
  join_free_parts();
  const auto part = std::find_if(parts_.begin(), parts_.end(), [size](const Part& each) {
    return each.free() && each.size >= size;
  });
  if (part == parts_.end()) return {};
  const Place place(pages_.data(), part->offset);
  const Part rest{part->offset + size, part->size - size, {}, false};
  *part = {part->offset, size, place, true};
  if (rest.size > 0) parts_.insert(part + 1, rest);
  return place;
}

void Outbox::give_back(const Place& place) noexcept {
  if (!place) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto part =
      std::lower_bound(parts_.begin(), parts_.end(), place.offset_,
                       [](const Part& each, std::uint64_t offset) { return each.offset < offset; });
  part->left = place;
  part->taken = false;
}

}  // namespace daptor::detail
