// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include <petscsys.h>

#include "daptor/dist_array.hpp"
#include "daptor/petsc/adapter/call.hpp"

namespace daptor::petsc::detail {

/// Ties a description to the PETSc object that was made on its memory: keeps the producer alive as
/// long as the object, and notifies the object of writes through other views.
///
/// It is not a composed object, because VecDuplicate passes composed objects on to copies, which
/// have memory of their own.
class Attachment final : public NativeView {
 public:
  /// Makes an attachment for an object that is made next. `pointer` is the address in `array`'s
  /// memory at which the object's memory will start. Process-local.
  static std::shared_ptr<Attachment> prepare(const DistArray& array, const void* pointer,
                                             unsigned session);
  /// Ties a prepared attachment to `object`, which keeps it until it is destroyed. Process-local,
  /// and allocates nothing, so that no agreement has to follow the making of the object.
  static void tie(const std::shared_ptr<Attachment>& attachment, PetscObject object);
  /// Both in one step.
  static std::shared_ptr<Attachment> attach(PetscObject object, const DistArray& array,
                                            const void* pointer, unsigned session);
  /// The attachment of an object that Daptor has made; null for any other object.
  static Attachment* of(PetscObject object);

  ~Attachment() override;

  const DistArray& array() const {
    if (!array_) refuse_finalized();
    return *array_;
  }
  const void* pointer() const { return pointer_; }
  /// Whether the object's values start at `memory`, or this process has no values.
  bool lies_at(const void* memory) const {
    return pointer_ == memory || (array_ && array_->local_count() == 0);
  }
  unsigned session() const { return session_; }
  /// Adds a second object on the same memory, inside the first one (the local block of a Mat).
  void add_inner(PetscObject inner) { inner_ = inner; }
  /// Marks the object as locked for reading, so that read-only memory may be placed under it.
  void set_locked(bool locked) { locked_ = locked; }
  bool locked() const { return locked_; }
  /// Sets whether the array describes the memory in the same way as PETSc's own layout does, only
  /// in other terms. The value is the same on all ranks: an import agrees on it, so that exports
  /// need not communicate.
  void set_says_the_same(bool says_the_same) { says_the_same_ = says_the_same; }
  bool says_the_same() const { return says_the_same_; }
  /// Sets the DMDA of which the object is a vector, with the array's own grid points. The same on
  /// all ranks.
  void set_dmda(PetscObjectId dmda) { dmda_ = dmda; }
  bool is_vector_of(PetscObjectId dmda) const { return dmda_ == dmda; }
  /// Marks a ghosted Vec, whose local form is the array's whole section.
  void set_ghosted() { ghosted_ = true; }
  bool ghosted() const { return ghosted_; }
  /// Whether Daptor has called VecPlaceArray or MatDensePlaceArray.
  bool placed() const { return placed_; }

  /// The address at which the object's memory would start in `array`.
  const void* pointer_in(const Section& array) const {
    const auto* data = static_cast<const char*>(array.data());
    return data == nullptr ? nullptr : data + byte_offset_;
  }
  /// Switches to the memory of `array`, which has been placed under the object.
  void moved_to(const Section& array);
  /// Releases the producer; the object has been destroyed or will never be used again.
  void release() noexcept;

  void modified() override;

  /// Called by PETSc when the object is destroyed; `attachment` is an Attachment.
  static PetscErrorCode on_destroy(void* attachment);

 private:
  struct Private {};
  struct Table;
  static Table table;
  void enter(PetscObject object) noexcept;
  void leave() noexcept;

 public:
  /// For `prepare`.
  Attachment(Private, const DistArray& array, const void* pointer, unsigned session);

 private:
  PetscObject object_ = nullptr;
  PetscObject inner_ = nullptr;
  std::optional<DistArray> array_;
  const void* pointer_;
  Index byte_offset_ = 0;
  unsigned session_;
  bool locked_ = false;
  bool says_the_same_ = false;
  bool ghosted_ = false;
  PetscObjectId dmda_ = 0;  // 0 if there is none, because PETSc counts from 1
  bool placed_ = false;
  std::shared_ptr<Attachment> self_;  ///< while PETSc has the object
  /// In a row of the table: the next one, and what refers to this one; null outside of the table.
  Attachment* next_ = nullptr;
  Attachment** link_ = nullptr;
};

}  // namespace daptor::petsc::detail
