// SPDX-License-Identifier: BSD-3-Clause
#include "attachment.hpp"

#include <mutex>
#include <utility>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "device_memory.hpp"

namespace daptor::petsc::detail {
namespace {

/// PETSc calls the hook when it destroys the object, before it frees any part of it. The types of
/// the callbacks differ between versions of PETSc; generic functions fit all of them.
PetscErrorCode add_destroy_hook(PetscObject object, std::shared_ptr<Attachment>* holder) {
  return PetscObjectAddOptionsHandler(
      object, [](auto...) { return PetscErrorCode{}; },
      [](auto, auto context) { return Attachment::on_destroy(context); }, holder);
}

/// The array that we hold keeps the state alive, so this pointer does not count: a second reference
/// count would double the cost.
std::shared_ptr<SharedState> borrowed(const std::shared_ptr<SharedState>& state) {
  return {std::shared_ptr<void>(), state.get()};
}

}  // namespace

/// Needed when an imported object is exported. An entry is removed when its object is destroyed.
struct Attachment::Registered {
  std::mutex mutex;
  Registry attachments;
};

Attachment::Registered& Attachment::registered() {
  static Registered* const instance = new Registered;  // outlives every static object
  return *instance;
}

Attachment::Attachment(const DistArray& array, const void* pointer, unsigned session)
    : array_(array),
      pointer_(pointer),
      session_(session),
      holder_(std::make_unique<std::shared_ptr<Attachment>>()) {
  registered();  // its first use allocates
  Registry one{{nullptr, this}};
  entry_ = one.extract(one.begin());
  if (array.data() != nullptr)
    byte_offset_ = static_cast<const char*>(pointer) - static_cast<const char*>(array.data());
  watch(borrowed(array.buffer().state()));
}

Attachment::~Attachment() {
  release();
}

std::shared_ptr<Attachment> Attachment::prepare(const DistArray& array, const void* pointer,
                                                unsigned session) {
  return std::shared_ptr<Attachment>(new Attachment(array, pointer, session));
}

void Attachment::tie(const std::shared_ptr<Attachment>& attachment, PetscObject object) {
  Attachment& self = *attachment;
  self.object_ = object;
  self.entry_.key() = object;
  {
    const std::lock_guard<std::mutex> lock(registered().mutex);
    registered().attachments.erase(object);
    registered().attachments.insert(std::move(self.entry_));
  }
  const QuietErrors quiet;
  *self.holder_ = attachment;
  const auto code = add_destroy_hook(object, self.holder_.get());
  if (static_cast<int>(code) != 0) self.holder_->reset();
  check(code, "PetscObjectAddOptionsHandler");
  static_cast<void>(self.holder_.release());  // the hook owns it now
}

std::shared_ptr<Attachment> Attachment::attach(PetscObject object, const DistArray& array,
                                               const void* pointer, unsigned session) {
  std::shared_ptr<Attachment> attachment = prepare(array, pointer, session);
  tie(attachment, object);
  return attachment;
}

PetscErrorCode Attachment::on_destroy(void* holder) {
  const std::unique_ptr<std::shared_ptr<Attachment>> attachment(
      static_cast<std::shared_ptr<Attachment>*>(holder));
  (*attachment)->release();
  return PetscErrorCode{};
}

Attachment* Attachment::of(PetscObject object) {
  const std::lock_guard<std::mutex> lock(registered().mutex);
  const auto found = registered().attachments.find(object);
  return found == registered().attachments.end() ? nullptr : found->second;
}

void Attachment::moved_to(const Section& array) {
  watch(borrowed(array.buffer().state()));
  static_cast<Section&>(*array_) = array;  // on the communicator of the import
  pointer_ = pointer_in(array);
  placed_ = true;
}

void Attachment::release() noexcept {
  if (object_ != nullptr) {
    const std::lock_guard<std::mutex> lock(registered().mutex);
    const auto found = registered().attachments.find(object_);
    if (found != registered().attachments.end() && found->second == this)
      registered().attachments.erase(found);
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
