// SPDX-License-Identifier: BSD-3-Clause
#include "attachment.hpp"

#include <mutex>
#include <unordered_map>
#include <utility>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/state.hpp"

namespace daptor::petsc::detail {
namespace {

/// Attachments by object, needed when an imported object is exported. An entry is removed when its
/// object is destroyed.
struct Registry {
  std::mutex mutex;
  std::unordered_map<PetscObject, Attachment*> attachments;
};

Registry& registry() {
  static Registry* const instance = new Registry;  // outlives every static object of the program
  return *instance;
}

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

Attachment::Attachment(PetscObject object, const DistArray& array, const void* pointer,
                       unsigned session)
    : object_(object), array_(array), pointer_(pointer), session_(session) {
  if (array.data() != nullptr)
    byte_offset_ = static_cast<const char*>(pointer) - static_cast<const char*>(array.data());
  watch(borrowed(array.buffer().state()));
}

Attachment::~Attachment() {
  release();
}

std::shared_ptr<Attachment> Attachment::attach(PetscObject object, const DistArray& array,
                                               const void* pointer, unsigned session) {
  std::shared_ptr<Attachment> attachment(new Attachment(object, array, pointer, session));
  auto holder = std::make_unique<std::shared_ptr<Attachment>>(attachment);
  {
    const std::lock_guard<std::mutex> lock(registry().mutex);
    registry().attachments[object] = attachment.get();
  }
  const QuietErrors quiet;
  check(add_destroy_hook(object, holder.get()), "PetscObjectAddOptionsHandler");
  static_cast<void>(holder.release());  // the hook owns it now
  return attachment;
}

PetscErrorCode Attachment::on_destroy(void* holder) {
  const std::unique_ptr<std::shared_ptr<Attachment>> attachment(
      static_cast<std::shared_ptr<Attachment>*>(holder));
  (*attachment)->release();
  return PetscErrorCode{};
}

Attachment* Attachment::of(PetscObject object) {
  const std::lock_guard<std::mutex> lock(registry().mutex);
  const auto found = registry().attachments.find(object);
  return found == registry().attachments.end() ? nullptr : found->second;
}

void Attachment::moved_to(const Section& array) {
  watch(borrowed(array.buffer().state()));
  static_cast<Section&>(*array_) = array;  // on the communicator of the import
  pointer_ = pointer_in(array);
  placed_ = true;
}

void Attachment::release() noexcept {
  if (object_ != nullptr) {
    const std::lock_guard<std::mutex> lock(registry().mutex);
    const auto found = registry().attachments.find(object_);
    if (found != registry().attachments.end() && found->second == this)
      registry().attachments.erase(found);
  }
  object_ = nullptr;
  inner_ = nullptr;
  unwatch();
  array_.reset();
}

void Attachment::modified() {
  if (object_ == nullptr || !alive(session_)) return;
  increase_state(object_);
  if (inner_ != nullptr) increase_state(inner_);
}

}  // namespace daptor::petsc::detail
