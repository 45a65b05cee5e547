// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "daptor/datatype.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// All elements of a distributed array in the memory of one process, or of each.

namespace daptor {

/// All elements of an array, in row-major order of their global indices (the last index varies
/// fastest), on memory of their own. A cheap value: copies share the memory. Without elements on a
/// process that has gathered none.
template <class T>
class Gathered {
 public:
  Gathered() = default;
  Gathered(std::vector<Index> shape, Index size, std::shared_ptr<T> elements)
      : shape_(std::move(shape)), size_(size), elements_(std::move(elements)) {}

  /// Extents of the interior of all processes, on each of them.
  const std::vector<Index>& shape() const { return shape_; }
  /// Number of elements here: the product of the extents, or 0.
  Index size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() const { return elements_.get(); }
  T* begin() const { return data(); }
  T* end() const { return data() + size_; }
  T& operator[](Index number) const { return data()[number]; }
  /// The element at global indices, one for each dimension. Not bounds-checked.
  template <class... I>
  T& operator()(I... indices) const {
    Index number = 0;
    [[maybe_unused]] std::size_t d = 0;
    ((number = number * shape_[d++] + static_cast<Index>(indices)), ...);
    return data()[number];
  }

 private:
  std::vector<Index> shape_;
  Index size_ = 0;
  std::shared_ptr<T> elements_;
};

namespace detail {
/// Elements whose type is known at run time. `root` -1: on all ranks.
Gathered<std::byte> gather(const DistArray& a, const DataType& type, int root);

template <class T>
Gathered<T> gather_as(const DistArray& a, int root) {
  const Gathered<std::byte> bytes = gather(a, DataType::of<T>(), root);
  const auto memory = std::make_shared<Gathered<std::byte>>(bytes);
  return {bytes.shape(), bytes.size(),
          std::shared_ptr<T>(memory, reinterpret_cast<T*>(bytes.data()))};
}
}  // namespace detail

/// \name Gathering. Collective.
/// Boundary padding and communication padding are left out: an element of the result is one of the
/// interior. Of an index that several processes have in lists that do not say who owns it, any copy
/// is taken.
///
/// \code
/// auto whole = daptor::gather<double>(a);      // on rank 0
/// if (comm_rank == 0) write(whole.data(), whole.shape());
/// \endcode
/// @tparam T    type of the result, to which elements are converted as NumPy's `same_kind` casting
///              allows
/// @param a     the array, with memory
/// @param root  the rank that gets the elements, the same on all ranks
/// @throws InvalidArgument on all ranks: `argument` for a root that is no rank,
///   `collective.different`; Error on all ranks like `redistribute`; LibraryFailed (`library.c++`)
///   if a rank lacks the memory
/// \{
template <class T>
Gathered<T> gather(const DistArray& a, int root = 0) {
  return detail::gather_as<T>(a, root < 0 ? -2 : root);
}
/// The same on all ranks: each has the whole array.
template <class T>
Gathered<T> gather_all(const DistArray& a) {
  return detail::gather_as<T>(a, -1);
}
/// \}

}  // namespace daptor
