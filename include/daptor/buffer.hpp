// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <ostream>
#include <vector>

#include "daptor/datatype.hpp"
#include "daptor/detail/spin_lock.hpp"
#include "daptor/types.hpp"

namespace daptor {

enum class Access { read, write };

/// Where memory lives, in DLPack's numbering. The host is the only space supported today.
struct MemorySpace {
  int device_type = 1;  ///< DLPack's `kDLCPU`
  int device_id = 0;    ///< which device of that type

  bool host() const { return device_type == 1; }
  friend bool operator==(MemorySpace a, MemorySpace b) {
    return a.device_type == b.device_type && a.device_id == b.device_id;
  }
  friend bool operator!=(MemorySpace a, MemorySpace b) { return !(a == b); }
};

/// What stands behind a described buffer: keeps the memory alive, opens it, learns of writes.
///
/// An adapter derives from it to hold a reference to the native object (never an open array). The
/// base class is the memory of a home-grown code, which is always open. The destructor neither
/// communicates nor throws.
class Producer {
 public:
  virtual ~Producer() = default;
  /// Opens the memory until the matching `end_access`. Process-local: it must not communicate.
  /// @param access     what the memory is opened for
  /// @param described  the pointer given out at export
  /// @returns the first described byte, where it is now; an address other than `described` makes
  ///   the lease throw Stale
  /// @throws Stale where it is no longer the memory that was described, ProducerFailed or
  ///   LibraryFailed where it cannot be opened
  virtual void* begin_access(Access access, void* described);
  /// Closes what a successful `begin_access` with the same `access` opened. Process-local.
  virtual void end_access(Access access) noexcept;
  /// The memory was written through another view: caches of the native object are void.
  /// Logically collective where the native object's state is (PETSc).
  virtual void modified();
};

class DistArray;
class SharedState;

/// A native object made on a buffer's memory. Registers itself with the buffer's shared state, so
/// that `modified()` reaches it; unregisters when destroyed. Not copyable, not movable: hold it by
/// pointer or as a member of an object that stays in place.
class NativeView {
 public:
  NativeView() = default;
  NativeView(const NativeView&) = delete;
  NativeView& operator=(const NativeView&) = delete;
  virtual ~NativeView();

  /// Moves the registration to another shared state and keeps that (hence the producer) alive.
  /// Process-local.
  /// @param state  of the buffer whose memory the native object is on; null: ends the registration
  void watch(std::shared_ptr<SharedState> state);
  /// Ends the registration and lets the producer go; waits while another thread runs `modified`. A
  /// derived class whose `modified` another thread may cause calls this first in its own
  /// destructor.
  void unwatch() noexcept;
  const std::shared_ptr<SharedState>& state() const { return state_; }

  /// The memory was written elsewhere. No lock is held: it may call any library, and may make or
  /// end registrations, its own included. Runs on one thread at a time.
  virtual void modified() = 0;

 private:
  friend class SharedState;
  std::shared_ptr<SharedState> state_;
  NativeView* next_ = nullptr;
  NativeView* previous_ = nullptr;
};

/// Shared by every copy of a description, and by everything imported from it: the producer, and the
/// native views that live on the memory.
class SharedState {
 public:
  /// @param producer  owned by this object; null: memory that the caller keeps alive
  explicit SharedState(std::unique_ptr<Producer> producer);
  SharedState(const SharedState&) = delete;
  SharedState& operator=(const SharedState&) = delete;
  ~SharedState();

  Producer& producer() { return *producer_; }
  /// Whether the memory is plain: it need not be opened, and only views must be notified.
  bool plain() const { return plain_; }
  /// Native views alive now.
  std::size_t view_count() const;
  /// Notifies the producer and every live view that the memory was written. All of them are
  /// notified even if one throws; the first exception is thrown at the end. A view that this thread
  /// is already notifying, further up the stack, is not notified again. Logically collective.
  void modified();

 private:
  friend class NativeView;
  struct Telling;
  const Telling* telling(const NativeView& view) const;
  bool forget(const NativeView& view) noexcept;

  std::unique_ptr<Producer> producer_;
  bool plain_;
  mutable detail::SpinLock lock_;
  NativeView* views_ = nullptr;
  Telling* tellings_ = nullptr;  // calls of `modified` that are under way
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
  /// @param data          the element with local index zero in every dimension; null: an array that
  ///                      is described without its memory
  /// @param readonly      nobody may write to the memory through this buffer
  /// @param state         keeps the memory alive and knows its views; null: a new one, for memory
  ///                      that the caller keeps alive
  /// @param space         where the memory lives
  /// @throws Malformed where strides and shape do not go together or an extent is negative (T09),
  ///   or where 64 bits do not hold the bytes of the elements (T10) or the distance between two of
  ///   them (T09)
  Buffer(DataType type, std::vector<Index> local_shape, std::vector<Index> byte_strides, void* data,
         bool readonly = false, std::shared_ptr<SharedState> state = nullptr,
         MemorySpace space = {});

  const DataType& type() const { return form_->type; }
  std::size_t ndim() const { return form_->local_shape.size(); }
  /// Extents, all padding included.
  const std::vector<Index>& local_shape() const { return form_->local_shape; }
  const std::vector<Index>& byte_strides() const { return form_->byte_strides; }
  /// Product of the extents.
  Index local_count() const { return form_->local_count; }
  MemorySpace space() const { return form_->space; }
  bool readonly() const { return readonly_; }

  const void* data() const { return data_; }
  /// Throws InvalidArgument where the buffer is read-only.
  void* mutable_data() const;
  /// False for a description without memory, unless it has no elements.
  bool has_memory() const { return data_ != nullptr || local_count() == 0; }

  /// Whether the elements fill one gapless run in the given order.
  bool contiguous(Order order) const;
  /// Bytes from the lowest to one past the highest element, relative to `data()`: what writes
  /// through this buffer can touch. Empty where there are no elements.
  IndexRange byte_span() const { return form_->byte_span; }

  const std::shared_ptr<SharedState>& state() const { return state_; }
  /// The same type, shape, strides and memory space on other memory. Parameters as the constructor.
  Buffer with_memory(void* data, bool readonly, std::shared_ptr<SharedState> state) const;
  /// The same form and memory, not writable.
  Buffer as_readonly() const;

  /// Whether the other buffer has the same type, shape, strides and memory space; pointers, states
  /// and read-only flags do not count.
  bool same_form(const Buffer& other) const;

 private:
  friend class DistArray;
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

/// Strides of a gapless array. Process-local.
/// @param shape     extents of the section
/// @param itemsize  bytes of an element
/// @param order     which dimension varies fastest
/// @returns bytes from one index to the next, one number for each dimension, also of an array
///   without elements
/// @throws Malformed (T10) where 64 bits do not hold the bytes
std::vector<Index> contiguous_strides(const std::vector<Index>& shape, std::size_t itemsize,
                                      Order order);

/// A shared state for plain memory, which is always accessible. Process-local.
/// @param owner  keeps the memory alive; null: the caller does
std::shared_ptr<SharedState> plain_memory(std::shared_ptr<const void> owner);

}  // namespace daptor
