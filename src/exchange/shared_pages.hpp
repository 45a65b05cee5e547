// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace daptor::detail {

/// Pages that processes of a node share. They belong to a file without a name, which is gone when
/// no process has it open or mapped: nothing is left of a process that is killed.
class SharedPages {
 public:
  SharedPages() = default;
  SharedPages(SharedPages&& other) noexcept;
  SharedPages& operator=(SharedPages&& other) noexcept;
  ~SharedPages();

  /// Process-local. Pages of this process, which cost memory when they are first used. Without
  /// data, if the system refuses.
  static SharedPages make(std::size_t bytes);
  /// Process-local. The pages of another process, by the number of the file there. Without data, if
  /// the system refuses, or the file does not end with them.
  static SharedPages of(std::int64_t process, std::int64_t file, std::size_t bytes);
  /// Process-local. Some of the pages in a file of another process, which can only be read.
  /// @param begin  where they begin in the file, at the beginning of a large page
  static SharedPages to_read(std::int64_t process, std::int64_t file, std::uint64_t begin,
                             std::size_t bytes);

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// The number of the file until `close`, which the process needs until others have mapped it.
  int file() const { return file_; }
  void close();

 private:
  bool open_file(std::int64_t process, std::int64_t file, bool to_write);
  void map(std::size_t bytes);
  void map_to_read(std::uint64_t begin, std::size_t bytes);

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  int file_ = -1;
};

/// Where places begin; before it the pages say whose they are.
inline constexpr std::size_t first_page = 4096;

/// Goes as a message in place of elements: where they are in the sender's pages, and how many times
/// this place has been filled.
struct Letter {
  std::uint64_t place, filled;
};

/// What is at the beginning of a place in shared pages, before its elements: how many times it has
/// been filled, and which of its fillings the other process has read.
struct alignas(64) PlaceState {
  std::atomic<std::uint64_t> filled, read;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// Elements that another process has put in its pages for this one.
class Arrival {
 public:
  /// Of at most so many bytes. Throws std::out_of_range if there is nothing of the kind.
  Arrival(const SharedPages& pages, const Letter& letter, std::size_t bytes);
  const std::byte* data() const { return data_; }
  /// Lets the other process fill the place again.
  void done() const { state_->read.store(filled_, std::memory_order_release); }

 private:
  PlaceState* state_;
  const std::byte* data_;
  std::uint64_t filled_;
};

/// Part of this process' shared pages, for elements that one other process reads at a time.
class Place {
 public:
  Place() = default;
  Place(std::byte* pages, std::size_t offset);
  explicit operator bool() const { return state_ != nullptr; }
  /// Whether it can be filled: nobody has anything left to read.
  bool empty() const { return state_->read.load(std::memory_order_acquire) == filled_; }
  std::byte* data() const { return reinterpret_cast<std::byte*>(state_ + 1); }
  /// Says that it has been filled.
  Letter filled() {
    state_->filled.store(++filled_, std::memory_order_seq_cst);
    return {offset_, filled_};
  }

 private:
  friend class Outbox;
  PlaceState* state_ = nullptr;
  std::uint64_t offset_ = 0;
  std::uint64_t filled_ = 0;
};

/// Divides this process' shared pages into places.
class Outbox {
 public:
  /// Allocates, so that `take` and `give_back` do not, for as many places as are usual.
  explicit Outbox(SharedPages pages, std::size_t reserved);

  SharedPages& pages() { return pages_; }
  /// A place of this size, or none if there is no room. The caller gives it back before the object
  /// is destroyed.
  Place take(std::size_t bytes);
  /// Also if it has not been read: it then becomes free as soon as it has.
  void give_back(const Place& place) noexcept;

 private:
  struct Part {
    std::size_t offset, size;
    Place left;  // as its last user left it
    bool taken;
    bool free() const { return !taken && (!left || left.empty()); }
  };
  void join_free_parts();

  std::mutex mutex_;
  SharedPages pages_;
  std::vector<Part> parts_;  // of all pages, in order
};

}  // namespace daptor::detail
