// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/imported.hpp"

#include "access.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/adapter/producer.hpp"
#include "petsc/src/native/attachment.hpp"
#include "petsc/src/native/device_memory.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc {
namespace {

/// Functions that Vec and Mat have under different names.
struct VecCalls {
  static const void* memory(Vec vec) { return detail::memory_of(vec); }
  static void require_values_in(Vec vec, MemorySpace space) { detail::require_valid(vec, space); }
  static PetscErrorCode place(Vec vec, const PetscScalar* values) {
    return VecPlaceArray(vec, values);
  }
  static PetscErrorCode reset(Vec vec) { return VecResetArray(vec); }
  static PetscErrorCode destroy(Vec* vec) { return VecDestroy(vec); }
  static constexpr const char* place_name = "VecPlaceArray";
  static constexpr const char* reset_name = "VecResetArray";
  static constexpr const char* destroy_name = "VecDestroy";
};

struct MatCalls {
  static const void* memory(Mat mat) {
    const PetscScalar* values = nullptr;
    detail::check(MatDenseGetArrayRead(mat, &values), "MatDenseGetArrayRead");
    const void* const pointer = values;
    detail::check(MatDenseRestoreArrayRead(mat, &values), "MatDenseRestoreArrayRead");
    return pointer;
  }
  static void require_values_in(Mat, MemorySpace) {}
  static PetscErrorCode place(Mat mat, const PetscScalar* values) {
    return MatDensePlaceArray(mat, values);
  }
  static PetscErrorCode reset(Mat mat) { return MatDenseResetArray(mat); }
  static PetscErrorCode destroy(Mat* mat) { return MatDestroy(mat); }
  static constexpr const char* place_name = "MatDensePlaceArray";
  static constexpr const char* reset_name = "MatDenseResetArray";
  static constexpr const char* destroy_name = "MatDestroy";
};

template <class Object>
struct CallsOf;
template <>
struct CallsOf<Vec> {
  using type = VecCalls;
};
template <>
struct CallsOf<Mat> {
  using type = MatCalls;
};
template <class Object>
using Calls = typename CallsOf<Object>::type;

[[noreturn]] void refuse_empty_handle() {
  throw InvalidArgument("import", "an empty import", "an object that an import has returned");
}

/// Makes all checks of the new memory before anything is changed.
void require_same_use(const detail::Attachment& attachment, const Section& array) {
  if (!attachment.array().same_layout(array))
    throw InvalidArgument("array", "an array of a different layout",
                          "the dimensions, element type, shape and strides of the imported array");
  if (array.readonly() && !attachment.locked())
    throw InvalidArgument("array", "read-only memory for an object that can be written",
                          "writable memory, or an import with the readonly option");
  if (adapter::bytes_past(array.data(), alignof(PetscScalar)) != 0)
    throw InvalidArgument("array", "memory that is not aligned for " + names::scalar,
                          "aligned memory");
  // VecPlaceArray places memory of the host, whatever the Vec's own is.
  adapter::require_host("petsc.vec.device", array);
  adapter::require_memory(array);
}

}  // namespace

template <class Object>
Imported<Object>::Imported(Object object, std::shared_ptr<detail::Attachment> attachment,
                           const Comm& comm)
    : object_(object), attachment_(std::move(attachment)), comm_(comm) {}

template <class Object>
Imported<Object>::Imported(Imported&& other) noexcept
    : object_(std::exchange(other.object_, nullptr)),
      attachment_(std::move(other.attachment_)),
      comm_(std::exchange(other.comm_, std::nullopt)) {}

template <class Object>
Imported<Object>& Imported<Object>::operator=(Imported&& other) noexcept {
  if (this == &other) return *this;
  release();
  object_ = std::exchange(other.object_, nullptr);
  attachment_ = std::move(other.attachment_);
  comm_ = std::exchange(other.comm_, std::nullopt);
  return *this;
}

template <class Object>
Imported<Object>::~Imported() {
  release();
}

template <class Object>
void Imported<Object>::release() noexcept {
  if (object_ == nullptr) return;
  if (detail::alive(attachment_->session())) {
    const detail::QuietErrors quiet;
    static_cast<void>(Calls<Object>::destroy(&object_));
  } else {
    detail::note_outlived();
    attachment_->release();
  }
  object_ = nullptr;
  attachment_.reset();
  comm_.reset();
}

template <class Object>
const DistArray& Imported<Object>::array() const& {
  if (object_ == nullptr) refuse_empty_handle();
  return attachment_->array();
}

template <class Object>
void Imported<Object>::rebind(const Section& array) {
  require_rebindable(array);
  place(array);
}

template <class Object>
void Imported<Object>::require_rebindable(const Section& array) const {
  if (object_ == nullptr) refuse_empty_handle();
  detail::require_alive(attachment_->session());
  require_same_use(*attachment_, array);
  require_in_place();
}

template <class Object>
void Imported<Object>::require_in_place() const {
  if (attachment_->array().owned_count() == 0) return;
  if (Calls<Object>::memory(object_) != attachment_->pointer())
    throw Stale("an object on which another array has been placed", names::remove_array);
}

template <class Object>
void Imported<Object>::place(const Section& array) {
  if (attachment_->placed())
    detail::check(Calls<Object>::reset(object_), Calls<Object>::reset_name);
  const auto* const values = static_cast<const PetscScalar*>(attachment_->pointer_in(array));
  detail::check(Calls<Object>::place(object_, values), Calls<Object>::place_name);
  attachment_->moved_to(array);
}

template <class Object>
void Imported<Object>::close() {
  if (object_ == nullptr) return;
  const Comm ranks = *comm_;  // must outlive what is closed
  Call call(ranks, "close");
  call.check([&] {
    detail::require_alive(attachment_->session());
    const MemorySpace space = attachment_->array().buffer().space();
    if (!space.host()) Calls<Object>::require_values_in(object_, space);
  });
  call.library(detail::Routine(Calls<Object>::destroy_name, Calls<Object>::destroy), &object_);
  object_ = nullptr;
  attachment_.reset();
  comm_.reset();
}

template class Imported<Vec>;
template class Imported<Mat>;

}  // namespace daptor::petsc
