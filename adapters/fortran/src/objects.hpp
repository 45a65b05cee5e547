// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/dimension.hpp"
#include "daptor/fortran.hpp"
#include "messages.hpp"

namespace daptor::fortran {

/// The object of a `type(daptor_layout)`: how an array is distributed, without its memory.
struct Layout {
  std::vector<Dimension> dimensions;
  Comm comm;
  std::vector<Index> first;
};

/// Fortran holds numbers and never pointers, so that using a bitwise copy of a variable, or a
/// variable whose object is gone, is an error and not a crash. Two numbers may stand for the same
/// object, which lives until the last of them is dropped. These functions are process-local, and
/// several threads may call them.
Handle add(std::shared_ptr<void> object, const void* kind);
/// Null if no object of this kind has this handle.
std::shared_ptr<void> find(Handle handle, const void* kind);
/// A second handle for the same object; 0 if there is none.
Handle share(Handle handle);
/// Has no effect if there is no such object.
void drop(Handle handle) noexcept;

/// A list of global indices, which count from 0: a copy of what was given to daptor_unstructured,
/// whose argument may be a temporary. It is kept until it has become a part of a layout, and is
/// there for other layouts as long as one has it.
using IndicesFromZero = std::shared_ptr<const std::vector<Index>>;
/// Null if the list is gone.
IndicesFromZero kept_list(Handle list);
/// To be called when a layout has the list. Has no effect if there is no such list.
void belongs_to_layouts(Handle list) noexcept;

[[noreturn]] void refuse_empty(const char* type);

template <class T>
struct ObjectKind;
template <>
struct ObjectKind<Array> {
  static constexpr const char* name = "daptor_array";
};
template <>
struct ObjectKind<Layout> {
  static constexpr const char* name = "daptor_layout";
};

/// The object that `handle` stands for. Throws InvalidArgument (`fortran.empty`).
template <class T>
std::shared_ptr<T> get(Handle handle) {
  std::shared_ptr<void> object = find(handle, &ObjectKind<T>::name);
  if (object == nullptr) refuse_empty(ObjectKind<T>::name);
  auto found = std::static_pointer_cast<T>(std::move(object));
  if constexpr (std::is_same_v<T, Array> || std::is_same_v<T, Layout>)
    messages_count_from(found->first);
  return found;
}

/// Makes a handle for an object, and stores it in place of `handle`.
template <class T>
void put(T object, Handle& handle) {
  const Handle made = add(std::make_shared<T>(std::move(object)), &ObjectKind<T>::name);
  drop(handle);
  handle = made;
}

}  // namespace daptor::fortran
