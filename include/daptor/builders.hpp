// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// From the memory of an existing code to a DistArray in one or two lines.

namespace daptor {

/// \name Describing memory
/// Each describes memory that this process holds, in version 0.9.0: the first element of `memory`
/// is the first element of the section (padding included). With an `order` the section is gapless
/// in it; with `byte_strides` there is one stride for each dimension. `owner` keeps the memory
/// alive; null: the caller does. Process-local.
///
/// None of them throws: where the dimensions have a defect or break a local clause, where 64 bits
/// do not hold the bytes of the section (T10), or where the memory has another length than the
/// dimensions describe (`describe.length`), the array carries that (`DistArray::defect`), and the
/// first collective call throws it on all ranks, whichever of them was wrong.
///
/// A length that is known is checked: memory without strides must have exactly the elements that
/// the dimensions describe, all padding included, and memory with strides at least those that the
/// strides reach. A wrong length is nearly always a wrong idea of the padding: every stride would
/// be wrong, and a halo exchange would write over owned values.
///
/// @param memory, data  the first element of this process's section, padding included
/// @param length        elements behind `data`, on this process
/// @param dimensions    one for each dimension of the array, with global sizes and this process's
///                      indices; the section's local extents follow from them
/// @param order         how the elements of a gapless section follow each other in memory
/// @param byte_strides  bytes from one index to the next, one number for each dimension
/// @param type          the element type, where it is known only when the program runs
/// @param readonly      nobody may write to the memory through this array
/// @param owner         is kept until nothing refers to the memory any more
/// @returns this process's section, on the same memory; nothing is copied
/// \{

namespace detail {

/// The memory that `describe` is given. `length` in elements; `nullopt`: unknown.
struct Memory {
  void* data = nullptr;
  std::optional<Index> length = std::nullopt;
  bool readonly = false;
};
DistArray describe_memory(const DataType& type, const Memory& memory,
                          std::vector<Dimension> dimensions, Order order,
                          std::shared_ptr<const void> owner);
DistArray describe_memory(const DataType& type, const Memory& memory,
                          std::vector<Dimension> dimensions, std::vector<Index> byte_strides,
                          std::shared_ptr<const void> owner);

// The one place where a caller's const becomes the read-only flag that every later access obeys.
template <class T>
Memory memory_of(T* data, std::optional<Index> length) {
  return {const_cast<std::remove_const_t<T>*>(data), length, std::is_const_v<T>};
}

template <class Container>
using ElementOf = std::remove_pointer_t<decltype(std::declval<Container&>().data())>;

/// Contiguous elements that know how many they are: std::vector, std::array, std::span. A container
/// that is const, or a temporary, counts as what it is.
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

}  // namespace detail

/// A std::vector, std::array, std::span or any other container with `data()`, `size()` and
/// `operator[]`. Const elements make the array read-only.
template <class Container, detail::RequireLength<Container> = 0>
DistArray describe(Container&& memory, std::vector<Dimension> dimensions, Order order = Order::c,
                   std::shared_ptr<const void> owner = nullptr) {
  static_assert(detail::keeps_memory<Container>,
                "describe: the container is a temporary, and its memory would be gone");
  return detail::describe_memory(
      DataType::of<std::remove_const_t<detail::ElementOf<std::remove_reference_t<Container>>>>(),
      detail::memory_of(memory.data(), static_cast<Index>(memory.size())), std::move(dimensions),
      order, std::move(owner));
}
template <class Container, detail::RequireLength<Container> = 0>
DistArray describe(Container&& memory, std::vector<Dimension> dimensions,
                   std::vector<Index> byte_strides, std::shared_ptr<const void> owner = nullptr) {
  static_assert(detail::keeps_memory<Container>,
                "describe: the container is a temporary, and its memory would be gone");
  return detail::describe_memory(
      DataType::of<std::remove_const_t<detail::ElementOf<std::remove_reference_t<Container>>>>(),
      detail::memory_of(memory.data(), static_cast<Index>(memory.size())), std::move(dimensions),
      std::move(byte_strides), std::move(owner));
}

/// A pointer to `length` elements.
template <class T>
DistArray describe(T* data, Index length, std::vector<Dimension> dimensions, Order order = Order::c,
                   std::shared_ptr<const void> owner = nullptr) {
  return detail::describe_memory(DataType::of<std::remove_const_t<T>>(),
                                 detail::memory_of(data, length), std::move(dimensions), order,
                                 std::move(owner));
}
template <class T>
DistArray describe(T* data, Index length, std::vector<Dimension> dimensions,
                   std::vector<Index> byte_strides, std::shared_ptr<const void> owner = nullptr) {
  return detail::describe_memory(DataType::of<std::remove_const_t<T>>(),
                                 detail::memory_of(data, length), std::move(dimensions),
                                 std::move(byte_strides), std::move(owner));
}

/// An array of C, of any number of dimensions.
template <class T, std::size_t N>
DistArray describe(T (&memory)[N], std::vector<Dimension> dimensions, Order order = Order::c,
                   std::shared_ptr<const void> owner = nullptr) {
  using Element = std::remove_all_extents_t<T>;
  return describe(reinterpret_cast<Element*>(&memory),
                  static_cast<Index>(sizeof(memory) / sizeof(Element)), std::move(dimensions),
                  order, std::move(owner));
}
template <class T, std::size_t N>
DistArray describe(T (&memory)[N], std::vector<Dimension> dimensions,
                   std::vector<Index> byte_strides, std::shared_ptr<const void> owner = nullptr) {
  using Element = std::remove_all_extents_t<T>;
  return describe(reinterpret_cast<Element*>(&memory),
                  static_cast<Index>(sizeof(memory) / sizeof(Element)), std::move(dimensions),
                  std::move(byte_strides), std::move(owner));
}

/// A pointer without a length: nothing checks that the memory is as large as the dimensions
/// describe. Prefer a container, or a pointer with its length.
template <class Pointer, std::enable_if_t<std::is_pointer_v<Pointer>, int> = 0>
DistArray describe(Pointer data, std::vector<Dimension> dimensions, Order order = Order::c,
                   std::shared_ptr<const void> owner = nullptr) {
  using Element = std::remove_const_t<std::remove_pointer_t<Pointer>>;
  return detail::describe_memory(DataType::of<Element>(), detail::memory_of(data, std::nullopt),
                                 std::move(dimensions), order, std::move(owner));
}
template <class Pointer, std::enable_if_t<std::is_pointer_v<Pointer>, int> = 0>
DistArray describe(Pointer data, std::vector<Dimension> dimensions, std::vector<Index> byte_strides,
                   std::shared_ptr<const void> owner = nullptr) {
  using Element = std::remove_const_t<std::remove_pointer_t<Pointer>>;
  return detail::describe_memory(DataType::of<Element>(), detail::memory_of(data, std::nullopt),
                                 std::move(dimensions), std::move(byte_strides), std::move(owner));
}

/// Memory whose element type is known at run time only, `length` elements of it. `data` may be null
/// where there are none.
DistArray describe(const DataType& type, void* data, Index length,
                   std::vector<Dimension> dimensions, Order order = Order::c, bool readonly = false,
                   std::shared_ptr<const void> owner = nullptr);
DistArray describe(const DataType& type, void* data, Index length,
                   std::vector<Dimension> dimensions, std::vector<Index> byte_strides,
                   bool readonly = false, std::shared_ptr<const void> owner = nullptr);
/// The same without a length, which nothing checks. `data` may be null: a description without
/// memory.
DistArray describe(const DataType& type, void* data, std::vector<Dimension> dimensions,
                   Order order = Order::c, bool readonly = false,
                   std::shared_ptr<const void> owner = nullptr);
DistArray describe(const DataType& type, void* data, std::vector<Dimension> dimensions,
                   std::vector<Index> byte_strides, bool readonly = false,
                   std::shared_ptr<const void> owner = nullptr);
/// \}

/// A block array of any number of dimensions over a whole communicator.
struct BlockOptions {
  /// Processes along each dimension; empty: as MPI_Dims_create divides them. A zero is filled in.
  std::vector<Index> grid = {};
  /// Communication padding on internal and periodic edges, one entry a dimension; empty: none.
  std::vector<Padding> communication = {};
  /// Boundary padding on external edges of non-periodic dimensions, inside the global shape.
  std::vector<Padding> boundary = {};
  /// One entry a dimension; empty: no dimension is periodic.
  std::vector<bool> periodic = {};
  /// Ghost cells of this width on all sides of every section's memory, whatever its edges are, as
  /// stencil codes have them (`BlockPadding::ghosts`): one entry for all dimensions or one for
  /// each. The global shape is then the interior, which is divided evenly, and the described shape
  /// is larger by the ghost cells at both ends of the dimensions that are not periodic. On any
  /// number of processes a section has the extents of its interior and twice the width. Not
  /// together with `communication` and `boundary`.
  std::vector<Index> ghosts = {};
};

/// The dimensions of this rank's section of an even n-d block array: ranks row-major on the grid,
/// remainders to the first. Process-local but for a communicator that is new to Daptor (see Comm):
/// asks `comm` for rank and size only. A dimension with one process and no padding is still a block
/// of one process. Where any padding is given, every dimension has the padding key.
///
/// A grid that is not the processes', options with another number of entries (`argument`), a
/// negative size (D08) or width (P03) are defects of the dimensions: the first collective call with
/// the array throws them on all ranks.
/// @param global_shape  indices of the whole array, one number for each dimension, boundary padding
///                      included (with `ghosts`: those of the interior)
/// @param comm          the processes to divide it among
/// @param options       the process grid, padding and periodic dimensions; the same on all ranks
/// @returns one dimension for each of `global_shape`
std::vector<Dimension> block_dimensions(const std::vector<Index>& global_shape, const Comm& comm,
                                        const BlockOptions& options = {});

/// Processes along each dimension that `block_dimensions` would use. Process-local, and the same
/// wherever the arguments are.
/// @param ndim           dimensions of the array; 0 goes with one process only
/// @param process_count  processes to place on the grid, at least 1
/// @param grid           processes along each dimension, 0 where MPI_Dims_create is to choose;
///                       empty: it chooses all
/// @returns `ndim` numbers, whose product is `process_count`
/// @throws InvalidArgument for numbers that do not divide the processes, and where MPI is needed,
///   because a number is left open, and not running
std::vector<Index> block_grid(int ndim, int process_count, const std::vector<Index>& grid = {});

/// Coordinates of a rank on a grid in row-major order, the last one counting fastest (D20).
/// Process-local.
/// @param grid  processes along each dimension, at least 1
/// @param rank  in [0, product of `grid`)
/// @returns one coordinate for each dimension of `grid`
/// @throws InvalidArgument for a rank outside the grid, and a dimension without processes
std::vector<Index> grid_coordinates(const std::vector<Index>& grid, Index rank);

/// Elements of the section that these dimensions describe, all padding included: how much to
/// allocate. Process-local.
/// @returns elements, not bytes. 0 where a dimension has a defect or 64 bits do not hold the
///   number: the array that is described with them has the defect, and the first collective call
///   throws it on all ranks
Index local_count(const std::vector<Dimension>& dimensions);

/// An array on memory of its own, zeroed, aligned to 64 bytes and freed with the last description
/// or import of it. Process-local. Does not throw: what is wrong with the dimensions, or that there
/// is not that much memory (LibraryFailed, `library.c++`), is a defect of the array, as with
/// `describe`.
/// @param type        the element type, where it is known only when the program runs
/// @param dimensions  one for each dimension of the array, with global sizes and this process's
///                    indices; they decide how much is allocated, padding included
/// @param order       how the elements of the section follow each other; there are no gaps
/// @returns this process's section, writable
DistArray allocate(const DataType& type, std::vector<Dimension> dimensions, Order order = Order::c);
template <class T>
DistArray allocate(std::vector<Dimension> dimensions, Order order = Order::c) {
  return allocate(DataType::of<T>(), std::move(dimensions), order);
}

}  // namespace daptor
