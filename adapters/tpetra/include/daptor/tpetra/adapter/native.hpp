// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <Tpetra_MultiVector.hpp>

#include "daptor/types.hpp"

/// \file
/// For this adapter and for adapters that join Tpetra with another library: makes vectors on memory
/// that they do not own.

namespace daptor::tpetra {

/// One process's elements as columns in memory.
struct Layout {
  Index rows = 0;  ///< number of elements of a column on this process
  Index columns = 1;
  Index stride = 0;            ///< number of elements from one column to the next, at least `rows`
  const void* data = nullptr;  ///< the first element of the first column
};

/// Whether the vectors of this Tpetra are in memory of the host, as a plain pointer's is. Else they
/// are on a device, and have a copy on the host when somebody asks for it.
template <class Scalar>
inline constexpr bool host_vectors =
    std::is_same_v<typename Tpetra::MultiVector<Scalar>::dual_view_type::t_dev::memory_space,
                   Kokkos::HostSpace>;

template <class Scalar>
using DualView = typename Tpetra::MultiVector<Scalar>::dual_view_type;

/// The columns at `layout`, in memory that the view does not own.
template <class Scalar>
typename DualView<Scalar>::t_dev view_of(const Layout& layout) {
  using View = typename DualView<Scalar>::t_dev;
  using Value = typename View::non_const_value_type;
  static_assert(sizeof(Value) == sizeof(Scalar));
  // This is the only place that removes const: read-only memory becomes a const native object.
  auto* const data = static_cast<Value*>(const_cast<void*>(layout.data));
  const auto rows = static_cast<std::size_t>(layout.rows);
  const auto columns = static_cast<std::size_t>(layout.columns);
  if (layout.stride == layout.rows) return View(data, rows, columns);
  // A view of whole columns has the stride; the gaps after its rows are never read.
  const View columns_and_gaps(data, static_cast<std::size_t>(layout.stride), columns);
  return Kokkos::subview(columns_and_gaps, std::make_pair(std::size_t{0}, rows), Kokkos::ALL());
}

/// The host view and the device view that Tpetra's constructors take, both of the same memory of
/// the host.
template <class Scalar>
DualView<Scalar> dual_view(const Layout& layout) {
  static_assert(host_vectors<Scalar>);
  const auto view = view_of<Scalar>(layout);
  return DualView<Scalar>(view, view);
}

// Puts `view` into an existing dual view, if Kokkos lets the members be set: this avoids an
// allocation that every new dual view makes for its flags.
template <class Dual, class View>
auto set_views(Dual& dual, const View& view, int)
    -> decltype(dual.d_view = view, dual.h_view = view, void()) {
  dual.d_view = view;
  dual.h_view = view;
}
template <class Dual, class View>
void set_views(Dual& dual, const View& view, long) {
  dual = Dual(view, view);
}

}  // namespace daptor::tpetra
