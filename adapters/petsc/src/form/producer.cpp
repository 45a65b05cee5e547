// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/adapter/producer.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "petsc/src/native/attachment.hpp"
#include "petsc/src/native/device_memory.hpp"
#include "petsc/src/native/scalapack_mat.hpp"

namespace daptor::petsc::detail {
namespace {

PetscErrorCode get(Vec vec, MemorySpace space, bool write, PetscScalar** values) {
  return get_values(vec, space, write, values);
}
PetscErrorCode restore(Vec vec, MemorySpace space, bool write, PetscScalar** values) {
  return restore_values(vec, space, write, values);
}
PetscErrorCode get(Mat mat, MemorySpace, bool write, PetscScalar** values) {
  if (is_scalapack(mat)) {  // which has no such functions
    *values = scalapack_part(mat).memory;
    return PetscErrorCode{};
  }
  if (write) return MatDenseGetArray(mat, values);
  return MatDenseGetArrayRead(mat, const_cast<const PetscScalar**>(values));
}
PetscErrorCode restore(Mat mat, MemorySpace, bool write, PetscScalar** values) {
  if (is_scalapack(mat)) return PetscErrorCode{};
  if (write) return MatDenseRestoreArray(mat, values);
  return MatDenseRestoreArrayRead(mat, const_cast<const PetscScalar**>(values));
}

/// The matrix of this process's rows; null if there is none.
Mat inner_of(Mat mat) {
  Mat inner = nullptr;
  const QuietErrors quiet;
  if (is_scalapack(mat) || static_cast<int>(MatDenseGetLocalMatrix(mat, &inner)) != 0)
    return nullptr;
  return inner == mat ? nullptr : inner;
}
Vec inner_of(Vec) {
  return nullptr;
}

/// Keeps the states of an object and of the one inside it as they are while it lives. PETSc counts
/// the end of every write access as a write, also if nothing has been written.
class UnchangedState {
 public:
  template <class Object>
  explicit UnchangedState(Object native) : objects_{object(native), object(inner_of(native))} {
    for (std::size_t i = 0; i < objects_.size(); ++i)
      if (objects_[i] != nullptr) states_[i] = object_state(objects_[i]);
  }
  UnchangedState(const UnchangedState&) = delete;
  UnchangedState& operator=(const UnchangedState&) = delete;
  ~UnchangedState() {
    for (std::size_t i = 0; i < objects_.size(); ++i)
      if (objects_[i] != nullptr) set_object_state(objects_[i], states_[i]);
  }

 private:
  std::array<PetscObject, 2> objects_;
  std::array<PetscObjectState, 2> states_{};
};

Index local_size(Vec vec) {
  PetscInt size = 0;
  call("VecGetLocalSize", VecGetLocalSize, vec, &size);
  return size;
}
/// Combines the number of rows and the leading dimension in one number, because both determine how
/// far the memory reaches.
Index local_size(Mat mat) {
  if (is_scalapack(mat)) {
    const ScalapackPart part = scalapack_part(mat);
    return (part.local_columns << 32) + part.leading_dimension;
  }
  PetscInt rows = 0;
  PetscInt leading_dimension = 0;
  call("MatGetLocalSize", MatGetLocalSize, mat, &rows, nullptr);
  call("MatDenseGetLDA", MatDenseGetLDA, mat, &leading_dimension);
  return (Index{rows} << 32) + leading_dimension;
}

void touch(Vec vec, MemorySpace space) {
  if (!space.host()) return note_device_write(vec);
  increase_state(object(vec));
  // The local form of a ghosted Vec is a separate Vec on the same memory.
  Vec local = nullptr;
  const QuietErrors quiet;
  if (static_cast<int>(VecGhostGetLocalForm(vec, &local)) != 0) return;
  if (local != nullptr && local != vec) increase_state(object(local));
  static_cast<void>(VecGhostRestoreLocalForm(vec, &local));
}
void touch(Mat mat, MemorySpace) {
  increase_state(object(mat));
  if (const Mat inner = inner_of(mat)) increase_state(object(inner));
}

PetscErrorCode destroy(Vec* vec) {
  return VecDestroy(vec);
}
PetscErrorCode destroy(Mat* mat) {
  return MatDestroy(mat);
}

/// Live states by object, so that two exports of one object share their state. An entry that can be
/// locked belongs to a live object, because its state holds a reference to the object.
struct Exports {
  struct Entry {
    std::weak_ptr<SharedState> state;
    const void* memory;
  };
  std::mutex mutex;
  std::unordered_map<PetscObject, Entry> entries;
};

Exports& exports() {
  static Exports* const instance = new Exports;  // outlives all static objects of the program
  return *instance;
}

/// The values must be valid in the space.
template <class Object>
const void* find_memory(Object native, MemorySpace space = {}) {
  PetscScalar* values = nullptr;
  const QuietErrors quiet;
  check(get(native, space, false, &values), "VecGetArrayRead");
  const void* const memory = values;
  check(restore(native, space, false, &values), "VecRestoreArrayRead");
  return memory;
}

void require_newest(Vec vec, MemorySpace space) {
  require_valid(vec, space);
}
void require_newest(Mat, MemorySpace) {}

/// Holds a reference to the object, never an open array.
template <class Object>
class ObjectProducer final : public Producer {
 public:
  ObjectProducer(Object native, const Values& values, unsigned session)
      : object_(native),
        memory_(values.memory),
        space_(values.space),
        size_(local_size(native)),
        session_(session) {
    call("PetscObjectReference", PetscObjectReference, object(native));
  }
  ~ObjectProducer() override {
    {
      const std::lock_guard<std::mutex> lock(exports().mutex);
      const auto found = exports().entries.find(object(object_));
      if (found != exports().entries.end() && found->second.state.expired())
        exports().entries.erase(found);
    }
    if (alive(session_)) {
      const QuietErrors quiet;
      static_cast<void>(destroy(&object_));
    } else {
      note_outlived();
    }
  }

  void* begin_access(daptor::Access access, void* described) override {
    require_alive(session_);
    require_newest(object_, space_);
    if (find_memory(object_, space_) != memory_ || local_size(object_) != size_)
      throw Stale("a PETSc object whose memory has changed since it was exported",
                  "Remove the array that was placed (" + names::function("VecResetArray") +
                      "), or export the object again.");
    PetscScalar* values = nullptr;
    const QuietErrors quiet;
    check(get(object_, space_, access == daptor::Access::write, &values), "VecGetArray");
    return described;
  }

  void end_access(daptor::Access access) noexcept override {
    if (!alive(session_)) return;
    auto* values = static_cast<PetscScalar*>(const_cast<void*>(memory_));
    const QuietErrors quiet;
    const UnchangedState unchanged(object_);  // `modified` says that something was written
    static_cast<void>(restore(object_, space_, access == daptor::Access::write, &values));
  }

  void modified() override {
    if (alive(session_)) touch(object_, space_);
  }

  /// Null after PetscFinalize.
  Object native() const { return alive(session_) ? object_ : nullptr; }

 private:
  Object object_;
  const void* memory_;
  MemorySpace space_;
  Index size_;
  unsigned session_;
};

template <class Object>
std::shared_ptr<SharedState> find_known_state(Object native, const void* memory) {
  const Attachment* const attachment = Attachment::of(object(native));
  if (attachment != nullptr && attachment->lies_at(memory))
    return attachment->array().buffer().state();
  const std::lock_guard<std::mutex> lock(exports().mutex);
  const auto found = exports().entries.find(object(native));
  if (found == exports().entries.end() || found->second.memory != memory) return nullptr;
  // released after the lock, because its end takes the lock itself
  return found->second.state.lock();
}

template <class Object>
std::shared_ptr<SharedState> find_state(Object native, const Values& values) {
  if (auto known = find_known_state(native, values.memory)) return known;
  auto state = std::make_shared<SharedState>(
      std::make_unique<ObjectProducer<Object>>(native, values, require_session()));
  const std::lock_guard<std::mutex> lock(exports().mutex);
  exports().entries[object(native)] = {state, values.memory};
  return state;
}

}  // namespace

std::shared_ptr<SharedState> state_of(Vec vec, const void* memory) {
  return find_state(vec, {memory, {}});
}
std::shared_ptr<SharedState> state_of(Vec vec, const Values& values) {
  std::shared_ptr<SharedState> state = find_state(vec, values);
  if (!values.space.host()) state->set_stream(values.stream);
  return state;
}
std::shared_ptr<SharedState> state_of(Mat mat, const void* memory) {
  return find_state(mat, {memory, {}});
}
std::shared_ptr<SharedState> known_state_of(Vec vec, const void* memory) {
  return find_known_state(vec, memory);
}
Vec vec_behind(SharedState& state) {
  const auto* const producer = dynamic_cast<const ObjectProducer<Vec>*>(&state.producer());
  return producer == nullptr ? nullptr : producer->native();
}
const void* memory_of(Vec vec) {
  return newest_values(vec).memory;
}
const void* memory_of(Mat mat) {
  return find_memory(mat);
}

}  // namespace daptor::petsc::detail
