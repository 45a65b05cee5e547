// SPDX-License-Identifier: BSD-3-Clause
#include "attachment.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "device_memory.hpp"

namespace daptor::petsc::detail {
namespace {

/// PETSc calls the hook when it destroys the object, before it frees any part of it. The types of
/// the callbacks differ between versions of PETSc; generic functions fit all of them.
PetscErrorCode add_destroy_hook(PetscObject object, Attachment* attachment) {
  return PetscObjectAddOptionsHandler(
      object, [](auto...) { return PetscErrorCode{}; },
      [](auto, auto context) { return Attachment::on_destroy(context); }, attachment);
}

/// The array that we hold keeps the state alive, so this pointer does not count: a second reference
/// count would double the cost.
std::shared_ptr<SharedState> borrowed(const std::shared_ptr<SharedState>& state) {
  return {std::shared_ptr<void>(), state.get()};
}

}  // namespace

/// The attachments by object, needed when an imported object is exported. An attachment is removed
/// when its object is destroyed. Neither allocates.
struct Attachment::Table {
  std::mutex mutex;
  std::array<Attachment*, 1024> rows{};

  Attachment*& row_of(PetscObject object) {
    const std::hash<PetscObject> address;  // a multiple of 16
    return rows[(address(object) / 16) % rows.size()];
  }
  Attachment* find(PetscObject object) {
    Attachment* each = row_of(object);
    while (each != nullptr && each->object_ != object) each = each->next_;
    return each;
  }
};

/// Neither made nor destroyed while the program runs, so that it outlives every static object.
Attachment::Table Attachment::table;

/// An object that was not told to be destroyed may have been at the same address.
void Attachment::enter(PetscObject object) noexcept {
  const std::lock_guard<std::mutex> lock(table.mutex);
  if (Attachment* const earlier = table.find(object)) earlier->leave();
  Attachment*& row = table.row_of(object);
  object_ = object;
  next_ = row;
  link_ = &row;
  if (next_ != nullptr) next_->link_ = &next_;
  row = this;
}

void Attachment::leave() noexcept {
  if (link_ == nullptr) return;
  *link_ = next_;
  if (next_ != nullptr) next_->link_ = link_;
  next_ = nullptr;
  link_ = nullptr;
}

Attachment::Attachment(Private, const DistArray& array, const void* pointer, unsigned session)
    : array_(array), pointer_(pointer), session_(session) {
  if (array.data() != nullptr)
    byte_offset_ = static_cast<const char*>(pointer) - static_cast<const char*>(array.data());
  watch(borrowed(array.buffer().state()));
}

Attachment::~Attachment() {
  release();
}

std::shared_ptr<Attachment> Attachment::prepare(const DistArray& array, const void* pointer,
                                                unsigned session) {
  return std::make_shared<Attachment>(Private{}, array, pointer, session);
}

void Attachment::tie(const std::shared_ptr<Attachment>& attachment, PetscObject object) {
  attachment->enter(object);
  const QuietErrors quiet;
  check(add_destroy_hook(object, attachment.get()), "PetscObjectAddOptionsHandler");
  attachment->self_ = attachment;  // until the hook is called
}

std::shared_ptr<Attachment> Attachment::attach(PetscObject object, const DistArray& array,
                                               const void* pointer, unsigned session) {
  std::shared_ptr<Attachment> attachment = prepare(array, pointer, session);
  tie(attachment, object);
  return attachment;
}

PetscErrorCode Attachment::on_destroy(void* attachment) {
  const std::shared_ptr<Attachment> kept = std::move(static_cast<Attachment*>(attachment)->self_);
  kept->release();
  return PetscErrorCode{};
}

Attachment* Attachment::of(PetscObject object) {
  const std::lock_guard<std::mutex> lock(table.mutex);
  return table.find(object);
}

void Attachment::moved_to(const Section& array) {
  watch(borrowed(array.buffer().state()));
  static_cast<Section&>(*array_) = array;  // on the communicator of the import
  pointer_ = pointer_in(array);
  placed_ = true;
}

void Attachment::release() noexcept {
  if (object_ != nullptr) {
    const std::lock_guard<std::mutex> lock(table.mutex);
    leave();
  }
  object_ = nullptr;
  inner_ = nullptr;
  unwatch();
  array_.reset();
}

void Attachment::modified() {
  if (object_ == nullptr || !alive(session_)) return;
  if (array_ && !array_->buffer().space().host())
    return note_device_write(reinterpret_cast<Vec>(object_));
  increase_state(object_);
  if (inner_ != nullptr) increase_state(inner_);
}

}  // namespace daptor::petsc::detail
