// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cassert>
#include <type_traits>
#if defined(__has_include)
#if __has_include(<mdspan>)
#include <mdspan>
#endif
#endif

#include "daptor/detail/refused.hpp"
#include "daptor/section.hpp"

namespace daptor {

/// The elements of a section, with their type and strides; the number of dimensions is part of the
/// type. Owns nothing: a view is valid as long as the memory from which it was made.
///
/// Indices are local: `view` counts from the first element of the buffer, padding included;
/// `owned_view` from the first owned element.
template <class T, int Rank>
class View {
 public:
  using element_type = T;

  /// @param data          the element whose indices are all zero
  /// @param local_shape   extents
  /// @param byte_strides  bytes from one index to the next; may be negative
  View(T* data, const std::array<Index, static_cast<std::size_t>(Rank)>& local_shape,
       const std::array<Index, static_cast<std::size_t>(Rank)>& byte_strides)
      : data_(data), local_shape_(local_shape), byte_strides_(byte_strides) {}

  /// A view of const elements on the same memory.
  operator View<const T, Rank>() const { return {data_, local_shape_, byte_strides_}; }

  /// The element whose indices are all zero; null for a view without elements and memory.
  T* data() const { return data_; }
  /// Number of dimensions; not a rank of a communicator.
  static constexpr int rank() { return Rank; }
  Index extent(int d) const { return local_shape_[static_cast<std::size_t>(d)]; }
  Index byte_stride(int d) const { return byte_strides_[static_cast<std::size_t>(d)]; }
  Index size() const {
    Index count = 1;
    for (const Index extent : local_shape_) count *= extent;
    return count;
  }

  /// The element at local indices, one for each dimension. Not bounds-checked.
  template <class... I>
  T& operator()(I... indices) const {
    static_assert(sizeof...(I) == static_cast<std::size_t>(Rank), "one index for each dimension");
    Index offset = 0;
    [[maybe_unused]] std::size_t d = 0;
    ((offset += static_cast<Index>(indices) * byte_strides_[d++]), ...);
    return *reinterpret_cast<T*>(reinterpret_cast<Byte*>(data_) + offset);
  }

#if defined(__cpp_lib_mdspan)
  /// The same view as std::mdspan. Byte strides must be multiples of the element size.
  auto mdspan() const {
    std::array<Index, static_cast<std::size_t>(Rank)> strides{};
    for (std::size_t d = 0; d < strides.size(); ++d)
      strides[d] = byte_strides_[d] / static_cast<Index>(sizeof(T));
    using Extents = std::dextents<Index, static_cast<std::size_t>(Rank)>;
    return std::mdspan<T, Extents, std::layout_stride>(
        data_, std::layout_stride::mapping<Extents>(Extents(local_shape_), strides));
  }
#endif

 private:
  using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
  T* data_;
  std::array<Index, static_cast<std::size_t>(Rank)> local_shape_;
  std::array<Index, static_cast<std::size_t>(Rank)> byte_strides_;
};

namespace detail {
/// Throws InvalidArgument if `array` has another number of dimensions than `ndim` (rule
/// `view.rank`), another element type than `type` (`view.type`, or `view.byte-order` if only that
/// differs), memory that the host cannot reach (`view.device`), no memory (`view.memory`), or
/// misaligned elements (`view.alignment`), or if it is read-only and `writable` is true
/// (`view.readonly`).
void require_viewable(const Section& array, int ndim, const DataType& type, std::size_t alignment,
                      bool writable);

template <class Array>
using RequireTemporary =
    std::enable_if_t<!std::is_reference_v<Array> && std::is_base_of_v<Section, Array>, int>;

template <class Array>
void refuse_temporary() {
  static_assert(
      never<Array>,
      "a view of a temporary array, whose memory may be gone at once: keep the array in a "
      "variable, auto a = ...; daptor::view<T, Rank>(a)");
}

template <class T, int Rank>
View<T, Rank> make_view(const Section& array, const void* data, const std::vector<Index>& shape) {
  require_viewable(array, Rank, DataType::of<T>(), alignof(T), !std::is_const_v<T>);
  std::array<Index, static_cast<std::size_t>(Rank)> extents{};
  std::array<Index, static_cast<std::size_t>(Rank)> strides{};
  for (std::size_t d = 0; d < extents.size(); ++d) {
    extents[d] = shape[d];
    strides[d] = array.byte_strides()[d];
  }
  using Element = std::remove_const_t<T>;
  // A writable view gets here only if require_viewable has found the array writable.
  return {static_cast<Element*>(const_cast<void*>(data)), extents, strides};
}
}  // namespace detail

/// A view of the whole section of this process, padding included, by local indices. Process-local.
/// Opens no lease: if a producer must open its memory, make the view from a lease
/// (`ReadLease::view`).
/// @tparam T     the element type; const for reading
/// @tparam Rank  number of dimensions of the array
/// @param array  this process's section, whose memory must outlive the view
/// @throws InvalidArgument (rules `view.…`) for a non-const view of a read-only array, another
///   element type or byte order, another number of dimensions, misaligned elements, and memory that
///   does not exist or that the host cannot reach
template <class T, int Rank>
View<T, Rank> view(const Section& array) {
  return detail::make_view<T, Rank>(array, array.data(), array.local_shape());
}

/// A view of the owned part of the section: boundary padding is included, communication padding is
/// not. Parameters and errors are those of `view`.
template <class T, int Rank>
View<T, Rank> owned_view(const Section& array) {
  return detail::make_view<T, Rank>(array, array.owned_data(), array.owned_shape());
}

/// A view of the interior, the owned part without boundary padding. Padding of either kind
/// surrounds it, so that a stencil of that width may read outside the view's extents. Parameters
/// and errors are those of `view`.
template <class T, int Rank>
View<T, Rank> interior_view(const Section& array) {
  return detail::make_view<T, Rank>(array, array.interior_data(), array.interior_shape());
}

/// \name Not of a temporary array
/// It may be the last that keeps the memory, as the result of `allocate` or `redistributed` is.
/// \{
template <class T, int Rank, class Array, detail::RequireTemporary<Array> = 0>
View<T, Rank> view(Array&& array) {
  detail::refuse_temporary<Array>();
  return detail::make_view<T, Rank>(array, array.data(), array.local_shape());
}
template <class T, int Rank, class Array, detail::RequireTemporary<Array> = 0>
View<T, Rank> owned_view(Array&& array) {
  detail::refuse_temporary<Array>();
  return detail::make_view<T, Rank>(array, array.owned_data(), array.owned_shape());
}
template <class T, int Rank, class Array, detail::RequireTemporary<Array> = 0>
View<T, Rank> interior_view(Array&& array) {
  detail::refuse_temporary<Array>();
  return detail::make_view<T, Rank>(array, array.interior_data(), array.interior_shape());
}
/// \}

}  // namespace daptor
