// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <ostream>
#include <vector>

#include "daptor/datatype.hpp"
#include "daptor/detail/spin_lock.hpp"
#include "daptor/memory_space.hpp"
#include "daptor/types.hpp"

namespace daptor {

enum class Access { read, write };

/// What a halo exchange has done: given copies the values of their owners, or combined copies with
/// the values of their owners.
enum class PaddingExchange { update, accumulate };

/// The owner behind a described buffer: keeps the memory alive, opens it, and is notified of
/// writes.
///
/// An adapter derives from it a class that holds a reference to the native object (never an open
/// array). The base class itself is for memory of a user's own code, which is always open. The
/// destructor neither communicates nor throws.
class Producer {
 public:
  virtual ~Producer() = default;
  /// Opens the memory until the matching `end_access`. Process-local: it must not communicate.
  /// @param access     the purpose for which the memory is opened
  /// @param described  the pointer that was exported
  /// @returns the current address of the first described byte; if it is not `described`, the lease
  ///   throws Stale
  /// @throws Stale if the memory is no longer what was described; ProducerFailed or LibraryFailed
  ///   if it cannot be opened
  virtual void* begin_access(Access access, void* described);
  /// Closes what a successful `begin_access` with the same `access` has opened. Process-local. The
  /// end of a write access does not mean that something was written: only `modified` says so.
  virtual void end_access(Access access) noexcept;
  /// Called when the memory was written through another view, so that caches of the native object
  /// are invalid. Logically collective if the native object's state is (as in PETSc).
  virtual void modified();
  /// Called in place of `modified` at the end of a halo exchange, for a native object that knows
  /// whether its ghosts are valid. Calls `modified` unless it is overridden.
  virtual void exchanged(PaddingExchange what);
};

class Section;
class SharedState;

/// A native object made on a buffer's memory. It is registered with the buffer's shared state, so
/// that `modified()` reaches it, until it is destroyed. Not copyable, not movable: hold it by
/// pointer or as a member of an object that stays in place.
class NativeView {
 public:
  NativeView() = default;
  NativeView(const NativeView&) = delete;
  NativeView& operator=(const NativeView&) = delete;
  virtual ~NativeView();

  /// Moves the registration to another shared state, and keeps that state, and so the producer,
  /// alive. Process-local.
  /// @param state  the state of the buffer on whose memory the native object is; null ends the
  ///               registration
  void watch(std::shared_ptr<SharedState> state);
  /// Ends the registration and releases the producer; waits while another thread runs `modified`. A
  /// derived class must call this first in its own destructor if another thread may cause
  /// `modified`.
  void unwatch() noexcept {
    if (state_ != nullptr) end_watch();
  }
  const std::shared_ptr<SharedState>& state() const { return state_; }

  /// Called when the memory was written through another view. No lock is held, so it may call any
  /// library, and may make or end registrations, including its own. Runs on one thread at a time.
  virtual void modified() = 0;

 private:
  friend class SharedState;
  void end_watch() noexcept;
  std::shared_ptr<SharedState> state_;
  NativeView* next_ = nullptr;
  NativeView* previous_ = nullptr;
};

/// The state that all copies of a description and all objects imported from it share: the producer,
/// and the native views on the memory.
class SharedState {
 public:
  /// @param producer  owned by this object; null for memory that the caller keeps alive
  explicit SharedState(std::unique_ptr<Producer> producer);
  SharedState(const SharedState&) = delete;
  SharedState& operator=(const SharedState&) = delete;
  ~SharedState();

  Producer& producer() { return *producer_; }
  /// Whether the memory is plain: it need not be opened, and only views must be notified.
  bool plain() const { return plain_; }
  /// Number of native views that are alive.
  std::size_t view_count() const;
  /// Notifies the producer and every live view that the memory was written. All of them are
  /// notified even if one throws; the first exception is thrown at the end. A view that this thread
  /// is already notifying, further up the stack, is not notified again. Logically collective.
  void modified();
  /// The same at the end of a halo exchange, which the producer learns by its `exchanged`.
  void exchanged(PaddingExchange what);

  /// The stream on which work on the memory is queued; 0 if all of it is complete. Who uses the
  /// memory on another stream, or on the host, waits for it first. Process-local.
  Stream stream() const { return stream_; }
  void set_stream(Stream stream) { stream_ = stream; }

 private:
  friend class NativeView;
  template <class F>
  void tell(F&& producer);
  struct Telling;
  const Telling* telling(const NativeView& view) const;
  bool forget(const NativeView& view) noexcept;

  std::unique_ptr<Producer> producer_;
  bool plain_;
  std::atomic<Stream> stream_{0};
  mutable detail::SpinLock lock_;
  NativeView* views_ = nullptr;
  Telling* tellings_ = nullptr;  // calls of `modified` in progress
};

/// One process's memory of an array: element type, shape, byte strides, pointer (PEP 3118), and the
/// shared state behind them. A cheap value: copies share the memory.
class Buffer {
 public:
  /// Process-local; the memory is not touched.
  /// @param type          the element type
  /// @param local_shape   extents of this process's section, all padding included
  /// @param byte_strides  bytes from one index to the next, one number for each extent; may be
  ///                      negative or zero
  /// @param data          the element whose local indices are all zero; null for an array that is
  ///                      described without its memory
  /// @param readonly      whether writing to the memory through this buffer is forbidden
  /// @param state         keeps the memory alive and knows its views; null for a new state, for
  ///                      memory that the caller keeps alive
  /// @param space         where the memory is; it is never touched unless the host can reach it
  /// @throws Malformed if strides and shape do not fit or an extent is negative (T09), if the
  ///   number of bytes of the elements does not fit in 64 bits (T10), or if the distance between
  ///   two elements does not (T09)
  Buffer(DataType type, std::vector<Index> local_shape, std::vector<Index> byte_strides, void* data,
         bool readonly = false, std::shared_ptr<SharedState> state = nullptr,
         MemorySpace space = {});

  const DataType& type() const { return form_->type; }
  std::size_t ndim() const { return form_->local_shape.size(); }
  /// Extents, including all padding.
  const std::vector<Index>& local_shape() const { return form_->local_shape; }
  const std::vector<Index>& byte_strides() const { return form_->byte_strides; }
  /// Product of the extents.
  Index local_count() const { return form_->local_count; }
  MemorySpace space() const { return form_->space; }
  bool readonly() const { return readonly_; }

  const void* data() const { return data_; }
  /// Throws InvalidArgument if the buffer is read-only.
  void* mutable_data() const;
  /// False for a description without memory, unless the buffer has no elements.
  bool has_memory() const { return data_ != nullptr || local_count() == 0; }

  /// Whether the elements are one run without gaps in the given order.
  bool contiguous(Order order) const;
  /// Bytes from the lowest element to the end of the highest, relative to `data()`: the range to
  /// which writes through this buffer are confined. Empty if there are no elements.
  IndexRange byte_span() const { return form_->byte_span; }

  const std::shared_ptr<SharedState>& state() const { return state_; }
  /// The same type, shape, strides and memory space on other memory. Parameters are those of the
  /// constructor.
  Buffer with_memory(void* data, bool readonly, std::shared_ptr<SharedState> state) const;
  /// The same form and memory, but read-only.
  Buffer as_readonly() const;
  /// The same form and memory, which is said to be in `space`.
  Buffer in_space(MemorySpace space) const;

  /// Whether the other buffer has the same type, shape, strides and memory space, where all memory
  /// of the host counts as one space; pointers, states and read-only flags are not compared.
  bool same_form(const Buffer& other) const;

 private:
  friend class Section;
  /// The buffer of an array that is not described; it is never read.
  Buffer() : data_(nullptr), readonly_(false) {}
  struct Form {
    DataType type;
    std::vector<Index> local_shape;
    std::vector<Index> byte_strides;
    Index local_count;
    IndexRange byte_span;
    MemorySpace space;
  };
  std::shared_ptr<const Form> form_;
  void* data_;
  bool readonly_;
  std::shared_ptr<SharedState> state_;
};

std::ostream& operator<<(std::ostream& out, const Buffer& buffer);

/// Computes the strides of an array without gaps. Process-local.
/// @param shape     extents of the section
/// @param itemsize  bytes of an element
/// @param order     which dimension varies fastest
/// @returns the number of bytes from one index to the next, for each dimension, even if the array
///   has no elements
/// @throws Malformed (T10) if the number of bytes does not fit in 64 bits
std::vector<Index> contiguous_strides(const std::vector<Index>& shape, std::size_t itemsize,
                                      Order order);

/// Makes a shared state for plain memory, which is always accessible. Process-local.
/// @param owner  keeps the memory alive; if it is null, the caller does
std::shared_ptr<SharedState> plain_memory(std::shared_ptr<const void> owner);

}  // namespace daptor
