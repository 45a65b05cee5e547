#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <Tpetra_MultiVector.hpp>

#include "representable.hpp"

namespace daptor::tpetra {

/// Memory of a plain pointer is host memory, and Tpetra's vectors of this installation live there.
template <class Scalar>
inline constexpr bool host_vectors =
    std::is_same_v<typename Tpetra::MultiVector<Scalar>::dual_view_type::t_dev::memory_space,
                   Kokkos::HostSpace>;

/// The columns at `layout` as Tpetra wants them: host and device view are the same memory, which
/// the views do not own.
template <class Scalar>
typename Tpetra::MultiVector<Scalar>::dual_view_type dual_view(const Layout& layout) {
  using DualView = typename Tpetra::MultiVector<Scalar>::dual_view_type;
  using View = typename DualView::t_dev;
  using Value = typename View::non_const_value_type;
  static_assert(sizeof(Value) == sizeof(Scalar));
  // The one place where const is taken off: read-only memory ends in a const native object.
  auto* const data = static_cast<Value*>(const_cast<void*>(layout.data));
  const auto rows = static_cast<std::size_t>(layout.rows);
  const auto columns = static_cast<std::size_t>(layout.columns);
  if (layout.stride == layout.rows) {
    const View view(data, rows, columns);
    return DualView(view, view);
  }
  // A view of whole columns has the stride; nothing reads what lies between its rows and the next.
  const View columns_and_gaps(data, static_cast<std::size_t>(layout.stride), columns);
  const View view =
      Kokkos::subview(columns_and_gaps, std::make_pair(std::size_t{0}, rows), Kokkos::ALL());
  return DualView(view, view);
}

}  // namespace daptor::tpetra
