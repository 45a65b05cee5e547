// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/scalapack/grid.hpp"
#include "daptor/scalapack/matrix.hpp"

/// \file
/// From any layout to ScaLAPACK's, and back. What is called copy copies.

namespace daptor::scalapack {

/// Rows and columns of a block: MB_ and NB_. Most routines want them equal.
struct Blocks {
  Index rows = 64;
  Index columns = 64;
};
constexpr auto fields(const Blocks&) {
  return field_list(field("rows", &Blocks::rows, "MB_"), field("columns", &Blocks::columns, "NB_"));
}

namespace detail {
MatrixForm copy_form(const DistArray& array, const Grid& grid, const DataType& type,
                     const Blocks& blocks, const RedistributionOptions& options);
void copy_back(const MatrixForm& form, const DistArray& array,
               const RedistributionOptions& options);
}  // namespace detail

/// Collective over `grid.comm()`, on whose processes the array is in any layout: a copy of it in
/// blocks dealt to the grid, in memory of its own, which is freed with the last Matrix or array on
/// it. An array of one dimension becomes one column. Processes outside of the grid give their part
/// and get none.
///
/// Example, a system of equations from rows of NumPy, PETSc or a code of one's own, and home:
/// \code
/// auto A = daptor::scalapack::copy_to_matrix<double>(a, grid);
/// auto B = daptor::scalapack::copy_to_matrix<double>(b, grid);
/// int info = 0;
/// if (grid.inside()) pdgesv_(&n, &one, A.data(), &one, &one, A.desc(), pivots.data(), B.data(),
///                            &one, &one, B.desc(), &info);
/// daptor::scalapack::check_info("pdgesv", info, grid.comm());
/// daptor::scalapack::copy_from_matrix(B, x);
/// \endcode
/// @param array    on the processes of `grid.comm()`; it is not changed
/// @param grid     of the matrix
/// @param blocks   the same on all ranks
/// @param options  as for redistribute; `convert` where the array has other elements than T
/// @throws NotRepresentable on all ranks for an array of other than one or two dimensions
///   (`scalapack.matrix.dimensions`) and for sizes over 32 bits (`scalapack.matrix.index-range`)
/// @throws InvalidArgument on all ranks for blocks without rows or columns (`scalapack.blocks`) and
///   for blocks or grids that differ between ranks (`collective.different`), for an array on other
///   processes (`collective.comm`); LibraryFailed where a rank lacks the memory; what redistribute
///   throws
template <class T>
Matrix<T> copy_to_matrix(const DistArray& array, const Grid& grid, const Blocks& blocks = {},
                         const RedistributionOptions& options = {}) {
  return Matrix<T>(detail::copy_form(array, grid, DataType::of<T>(), blocks, options));
}

/// Collective over `matrix.grid().comm()`, on whose processes the array is: copies the matrix into
/// the array, of any layout and the same shape (or one dimension for one column; otherwise
/// InvalidArgument, `redistribute.shape`). Throws as redistribute.
template <class T>
void copy_from_matrix(const Matrix<T>& matrix, const DistArray& array,
                      const RedistributionOptions& options = {}) {
  detail::copy_back({matrix.array(), matrix.grid()}, array, options);
}

}  // namespace daptor::scalapack
