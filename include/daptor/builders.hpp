// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/detail/refused.hpp"
#include "daptor/index_vector.hpp"
#include "daptor/process_grid.hpp"
#include "daptor/section.hpp"

/// \file
/// Makes a Section of an existing code's memory in one or two lines. Collective functions take it
/// on its communicator: `daptor::describe(u, dimensions).on(comm)`.

namespace daptor {

/// \name Describing memory
/// Each call describes memory of this process, in version 0.9.0. The first element of `memory` is
/// the first element of the section (padding included). With an `order`, the section has no gaps;
/// with `byte_strides`, there is one stride for each dimension. `owner` keeps the memory alive; if
/// it is null, the caller does. Process-local.
///
/// None of these calls throws. If the dimensions have a defect or break a local clause, if the
/// number of bytes of the section does not fit in 64 bits (T10), if the length of the memory is not
/// what the dimensions describe (`describe.length`), or if strides between neighbours are smaller
/// than an element without being 0, as strides that count elements are (`describe.strides`), the
/// array carries the defect (`Section::defect`), and the first collective call throws it on all
/// ranks, whichever rank was wrong.
///
/// A known length is checked: without strides, the memory must have exactly the elements that the
/// dimensions describe, all padding included; with strides, at least those that the strides reach.
/// A wrong length nearly always comes from a wrong idea of the padding. Every stride would then be
/// wrong, and a halo exchange would overwrite owned values.
///
/// @param memory, data  the first element of this process's section, padding included
/// @param length        number of elements at `data`, on this process
/// @param dimensions    one for each dimension of the array, with global sizes and this process's
///                      indices; they determine the section's local extents
/// @param order         the order of the elements of a section without gaps
/// @param byte_strides  bytes from one index to the next, one number for each dimension
/// @param type          the element type, if it is known only when the program runs
/// @param readonly      whether writing to the memory through this array is forbidden
/// @param owner         kept until nothing refers to the memory any more
/// @returns this process's section, on the same memory; nothing is copied
/// \{

namespace detail {

/// The memory passed to `describe`. `length` is in elements; `nullopt` if it is not known.
struct Memory {
  void* data = nullptr;
  std::optional<Index> length = std::nullopt;
  bool readonly = false;
};
Section describe_memory(const DataType& type, const Memory& memory,
                        std::vector<Dimension> dimensions, Order order,
                        std::shared_ptr<const void> owner);
Section describe_memory(const DataType& type, const Memory& memory,
                        std::vector<Dimension> dimensions, IndexVector byte_strides,
                        std::shared_ptr<const void> owner);

// This is the only place where a caller's const becomes the read-only flag, which every later
// access respects.
template <class T>
Memory memory_of(T* data, std::optional<Index> length) {
  return {const_cast<std::remove_const_t<T>*>(data), length, std::is_const_v<T>};
}

template <class Container>
using ElementOf = std::remove_pointer_t<decltype(std::declval<Container&>().data())>;

/// Contiguous elements that know their number: std::vector, std::array, std::span. A container
/// keeps its constness, and whether it is a temporary.
template <class Container, class = void>
struct KnowsItsLength : std::false_type {};
template <class Container>
struct KnowsItsLength<Container,
                      std::void_t<decltype(std::declval<Container&>().size()),
                                  decltype(std::declval<Container&>()[std::size_t{0}]),
                                  std::enable_if_t<std::is_object_v<ElementOf<Container>>>>>
    : std::true_type {};

/// A temporary container would be destroyed before the description is used; a temporary span refers
/// to memory that another object owns, and returns the same pointer whether it is const or not.
template <class Container>
constexpr bool keeps_memory =
    std::is_lvalue_reference_v<Container> ||
    std::is_same_v<ElementOf<std::remove_const_t<std::remove_reference_t<Container>>>,
                   ElementOf<const std::remove_reference_t<Container>>>;

template <class Container>
using RequireLength =
    std::enable_if_t<KnowsItsLength<std::remove_reference_t<Container>>::value, int>;

template <class T>
using RequireDimension =
    std::enable_if_t<std::is_same_v<std::remove_cv_t<std::remove_reference_t<T>>, Dimension>, int>;

}  // namespace detail

/// \name Not described
/// What these calls mean is said in the first line of the compiler's error.
/// \{
template <class Allocator, class... Rest>
Section describe(const std::vector<bool, Allocator>& /*memory*/, Rest&&... /*rest*/) {
  static_assert(detail::never<Allocator>,
                "describe: a std::vector<bool> has bits in place of elements; describe a "
                "std::vector<char> or std::unique_ptr<bool[]>");
  return {};
}
template <class Memory, class Single, class... Rest, detail::RequireDimension<Single> = 0>
Section describe(Memory&& /*memory*/, Single&& /*dimension*/, Rest&&... /*rest*/) {
  static_assert(detail::never<Memory>,
                "describe: dimensions are a list, also if there is one; write it in braces: "
                "describe(u, {daptor::block(...)})");
  return {};
}
template <class T, class Length, class Single, class... Rest, detail::RequireDimension<Single> = 0>
Section describe(T* /*data*/, Length /*length*/, Single&& /*dimension*/, Rest&&... /*rest*/) {
  static_assert(detail::never<T>,
                "describe: dimensions are a list, also if there is one; write it in braces: "
                "describe(u, length, {daptor::block(...)})");
  return {};
}
/// \}

/// A std::vector, std::array, std::span or any other container with `data()`, `size()` and
/// `operator[]`. Const elements make the array read-only.
template <class Container, detail::RequireLength<Container> = 0>
Section describe(Container&& memory, std::vector<Dimension> dimensions, Order order = Order::c,
                 std::shared_ptr<const void> owner = nullptr) {
  static_assert(detail::keeps_memory<Container>,
                "describe: the container is a temporary, and its memory would be gone");
  return detail::describe_memory(
      DataType::of<std::remove_const_t<detail::ElementOf<std::remove_reference_t<Container>>>>(),
      detail::memory_of(memory.data(), static_cast<Index>(memory.size())), std::move(dimensions),
      order, std::move(owner));
}
template <class Container, detail::RequireLength<Container> = 0>
Section describe(Container&& memory, std::vector<Dimension> dimensions, IndexVector byte_strides,
                 std::shared_ptr<const void> owner = nullptr) {
  static_assert(detail::keeps_memory<Container>,
                "describe: the container is a temporary, and its memory would be gone");
  return detail::describe_memory(
      DataType::of<std::remove_const_t<detail::ElementOf<std::remove_reference_t<Container>>>>(),
      detail::memory_of(memory.data(), static_cast<Index>(memory.size())), std::move(dimensions),
      std::move(byte_strides), std::move(owner));
}

/// A pointer to `length` elements.
template <class T>
Section describe(T* data, Index length, std::vector<Dimension> dimensions, Order order = Order::c,
                 std::shared_ptr<const void> owner = nullptr) {
  return detail::describe_memory(DataType::of<std::remove_const_t<T>>(),
                                 detail::memory_of(data, length), std::move(dimensions), order,
                                 std::move(owner));
}
template <class T>
Section describe(T* data, Index length, std::vector<Dimension> dimensions, IndexVector byte_strides,
                 std::shared_ptr<const void> owner = nullptr) {
  return detail::describe_memory(DataType::of<std::remove_const_t<T>>(),
                                 detail::memory_of(data, length), std::move(dimensions),
                                 std::move(byte_strides), std::move(owner));
}

/// An array of C, of any number of dimensions.
template <class T, std::size_t N>
Section describe(T (&memory)[N], std::vector<Dimension> dimensions, Order order = Order::c,
                 std::shared_ptr<const void> owner = nullptr) {
  using Element = std::remove_all_extents_t<T>;
  return describe(reinterpret_cast<Element*>(&memory),
                  static_cast<Index>(sizeof(memory) / sizeof(Element)), std::move(dimensions),
                  order, std::move(owner));
}
template <class T, std::size_t N>
Section describe(T (&memory)[N], std::vector<Dimension> dimensions, IndexVector byte_strides,
                 std::shared_ptr<const void> owner = nullptr) {
  using Element = std::remove_all_extents_t<T>;
  return describe(reinterpret_cast<Element*>(&memory),
                  static_cast<Index>(sizeof(memory) / sizeof(Element)), std::move(dimensions),
                  std::move(byte_strides), std::move(owner));
}

/// A pointer without a length: nothing checks that the memory is as large as the dimensions
/// describe. Prefer a container, or a pointer with its length.
template <class Pointer, std::enable_if_t<std::is_pointer_v<Pointer>, int> = 0>
Section describe(Pointer data, std::vector<Dimension> dimensions, Order order = Order::c,
                 std::shared_ptr<const void> owner = nullptr) {
  using Element = std::remove_const_t<std::remove_pointer_t<Pointer>>;
  return detail::describe_memory(DataType::of<Element>(), detail::memory_of(data, std::nullopt),
                                 std::move(dimensions), order, std::move(owner));
}
template <class Pointer, std::enable_if_t<std::is_pointer_v<Pointer>, int> = 0>
Section describe(Pointer data, std::vector<Dimension> dimensions, IndexVector byte_strides,
                 std::shared_ptr<const void> owner = nullptr) {
  using Element = std::remove_const_t<std::remove_pointer_t<Pointer>>;
  return detail::describe_memory(DataType::of<Element>(), detail::memory_of(data, std::nullopt),
                                 std::move(dimensions), std::move(byte_strides), std::move(owner));
}

/// `length` elements of memory whose element type is known only at run time. `data` may be null if
/// there are no elements.
Section describe(const DataType& type, void* data, Index length, std::vector<Dimension> dimensions,
                 Order order = Order::c, bool readonly = false,
                 std::shared_ptr<const void> owner = nullptr);
Section describe(const DataType& type, void* data, Index length, std::vector<Dimension> dimensions,
                 IndexVector byte_strides, bool readonly = false,
                 std::shared_ptr<const void> owner = nullptr);
/// The same without a length, so that nothing is checked. `data` may be null for a description
/// without memory.
Section describe(const DataType& type, void* data, std::vector<Dimension> dimensions,
                 Order order = Order::c, bool readonly = false,
                 std::shared_ptr<const void> owner = nullptr);
Section describe(const DataType& type, void* data, std::vector<Dimension> dimensions,
                 IndexVector byte_strides, bool readonly = false,
                 std::shared_ptr<const void> owner = nullptr);
/// \}

/// Number of elements of the section that these dimensions describe, all padding included: how much
/// to allocate. Process-local.
/// @returns a number of elements, not bytes. 0 if a dimension has a defect, or if the number does
///   not fit in 64 bits: an array described with such dimensions has the defect, and the first
///   collective call throws it on all ranks
Index local_count(const std::vector<Dimension>& dimensions);

/// Makes a section on memory of its own, which is zeroed, aligned to 64 bytes, and freed with the
/// last description or import of it. From 4 MiB on it is in huge pages where Linux gives them to
/// those that ask. Once Daptor knows a communicator of several processes, those of the node can map
/// it: a Redistribution copies from it without messages, and a child of `fork` cannot use it
/// (docs/redistribution.md). Process-local. Does not throw: if the dimensions are wrong, or there
/// is not enough memory (LibraryFailed, `library.c++`), the section has the defect, as with
/// `describe`.
/// @param type        the element type, if it is known only when the program runs
/// @param dimensions  one for each dimension of the array, with global sizes and this process's
///                    indices; they determine how much is allocated, padding included
/// @param order       the order of the elements of the section; there are no gaps
/// @returns this process's section, writable
Section allocate(const DataType& type, std::vector<Dimension> dimensions, Order order = Order::c);
template <class T>
Section allocate(std::vector<Dimension> dimensions, Order order = Order::c) {
  return allocate(DataType::of<T>(), std::move(dimensions), order);
}

}  // namespace daptor
