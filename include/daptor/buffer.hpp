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
  int device_id = 0;

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
  /// Opens the memory and returns its first described byte. Throws Stale where it is no longer the
  /// memory that was described. `described` is the pointer given out at export. Process-local.
  virtual void* begin_access(Access access, void* described);
  /// Closes what begin_access opened. Process-local; does not throw.
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

  /// Moves the registration to `state` and keeps that state (hence the producer) alive; null ends
  /// it.
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
  /// A null producer stands for memory that the caller keeps alive.
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
  /// `data` points at the element with local index zero in every dimension; strides may be negative
  /// or zero. A null `data` describes an array without its memory. Throws Malformed where strides
  /// and shape do not go together or an extent is negative (T09), or where 64 bits do not hold the
  /// bytes of the elements (T10) or the distance between two of them (T09).
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

  /// The elements fill one gapless run in the given order.
  bool contiguous(Order order) const;
  /// Bytes from the lowest to one past the highest element, relative to `data()`: what writes
  /// through this buffer can touch. Empty where there are no elements.
  IndexRange byte_span() const { return form_->byte_span; }

  const std::shared_ptr<SharedState>& state() const { return state_; }
  /// The same form on other memory.
  Buffer with_memory(void* data, bool readonly, std::shared_ptr<SharedState> state) const;
  /// The same form and memory, not writable.
  Buffer as_readonly() const;

  /// The same type, shape and strides; pointers and states do not count.
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

/// Strides in bytes of a gapless array; throws Malformed (T10) where 64 bits do not hold its bytes.
/// An empty array always has strides.
std::vector<Index> contiguous_strides(const std::vector<Index>& shape, std::size_t itemsize,
                                      Order order);

/// A shared state for plain memory that `owner` keeps alive (null: the caller does).
std::shared_ptr<SharedState> plain_memory(std::shared_ptr<const void> owner);

}  // namespace daptor
