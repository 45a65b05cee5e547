// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <complex>
#include <type_traits>
#include <utility>

#include "daptor/datatype.hpp"
#include "daptor/detail/refused.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/scalapack/grid.hpp"

namespace daptor::scalapack {

/// The nine integers of a dense matrix: DTYPE_, CTXT_, M_, N_, MB_, NB_, RSRC_, CSRC_, LLD_.
using Descriptor = std::array<int, 9>;

/// Whether ScaLAPACK has matrices of these elements: float, double, their complex types, and int,
/// which is only moved.
template <class T>
constexpr bool is_element = std::is_same_v<T, float> || std::is_same_v<T, double> ||
                            std::is_same_v<T, std::complex<float>> ||
                            std::is_same_v<T, std::complex<double>> || std::is_same_v<T, int>;

namespace detail {

/// What a Matrix is, but for its type.
struct MatrixForm {
  DistArray array;
  Grid grid;
  Descriptor desc{};
  Index local_rows = 0;
  Index local_columns = 0;
};
MatrixForm import_form(const DistArray& array, const Grid& grid, const DataType& type,
                       bool writable);

}  // namespace detail

/// A matrix of ScaLAPACK on the memory of an array: what its routines take. Keeps the memory and
/// the grid alive. A cheap value: copies share both.
///
/// Local indices count this process's owned elements, without communication padding; element (i, j)
/// is at `data()[i + j * leading_dimension()]`. No lease covers what ScaLAPACK writes: call
/// `modified()` on all ranks afterwards where the array's producer caches values (a PETSc object
/// does), or bracket the calls with a WriteLease.
/// @tparam T  an element type of ScaLAPACK; const where the memory is only read
template <class T>
class Matrix {
  static_assert(is_element<std::remove_const_t<T>>, "not an element type of ScaLAPACK");

 public:
  explicit Matrix(detail::MatrixForm form) : form_(std::move(form)) {}

  /// Nine integers, for any routine; the context is -1 outside of the grid, where no routine is to
  /// be called.
  const int* desc() const& { return form_.desc.data(); }
  /// Not of a temporary, with which the integers are gone.
  template <class U = T>
  const int* desc() && {
    static_assert(daptor::detail::never<U>,
                  "desc() of a temporary, whose integers are gone at once: keep the matrix in a "
                  "variable, auto A = import_matrix<T>(a, grid), and call A.desc()");
    return nullptr;
  }
  /// The first owned element; may be null where there is none.
  T* data() const {
    // Writable only past the import, which refuses read-only memory for a T that is not const.
    return static_cast<T*>(const_cast<void*>(inside() ? form_.array.owned_data() : nullptr));
  }
  /// This process has a part in the grid.
  bool inside() const { return form_.desc[1] >= 0; }

  Index global_rows() const { return form_.desc[2]; }
  Index global_columns() const { return form_.desc[3]; }
  Index local_rows() const { return form_.local_rows; }
  Index local_columns() const { return form_.local_columns; }
  Index row_block() const { return form_.desc[4]; }
  Index column_block() const { return form_.desc[5]; }
  Index leading_dimension() const { return form_.desc[8]; }

  /// The array whose memory this is, on `grid().inside_comm()`. Not described outside of the grid.
  const DistArray& array() const& { return form_.array; }
  DistArray array() && { return form_.array; }
  const Grid& grid() const& { return form_.grid; }
  Grid grid() && { return form_.grid; }

  /// ScaLAPACK has written to the memory: tells the producer and all views. Logically collective.
  void modified() const {
    if (inside()) form_.array.modified();
  }

 private:
  detail::MatrixForm form_;
};

/// \name Imports
/// Collective over the processes of the grid (`grid.inside_comm()`), on which the array is. The
/// array as a matrix on its own memory: nothing is copied or allocated. One all-reduce for an array
/// that is dealt from process 0 on, or was proven before.
///
/// Dimension 0 becomes the rows and dimension 1 the columns; an array of one dimension is one
/// column, on a grid of one column. A dimension that is cyclic or block-cyclic has its blocks and
/// origin; a block dimension is accepted where all processes but the last have
/// `ceil(size / processes)` indices (`BlockCyclic::blocks`). A dimension that one process has
/// without saying blocks is divided into those of the other dimension, as most routines want square
/// ones; if one process has both so, the matrix is in one block. Communication padding is stepped
/// over: it goes into the leading dimension. Memory is column-major; of an array in C order import
/// `transposed(array)`.
///
/// Outside of the grid, where an empty `DistArray()` will do, it returns at once, and the matrix
/// has no elements.
/// @param array  on the processes of the grid
/// @param grid   on which every process is where its section is, as `Grid::of(array)` is
/// @returns what ScaLAPACK's routines take; keeps the memory alive
/// @throws NotRepresentable on all ranks, with all reasons (`scalapack.matrix.…`)
/// @throws InvalidArgument on all ranks where the grid is another than the array's
///   (`scalapack.grid.position`) or is on other processes (`collective.comm`), and for a
///   description without memory
/// @throws Malformed where the sections do not make one array, Stale where the producer has other
///   memory than it described, Finalized
/// \{
template <class T>
Matrix<T> import_matrix(const DistArray& array, const Grid& grid) {
  static_assert(!std::is_const_v<T>, "for reading only there is import_matrix_readonly");
  return Matrix<T>(detail::import_form(array, grid, DataType::of<T>(), true));
}
/// For routines that only read; the array may be read-only.
template <class T>
Matrix<const T> import_matrix_readonly(const DistArray& array, const Grid& grid) {
  return Matrix<const T>(detail::import_form(array, grid, DataType::of<T>(), false));
}
/// \}

/// The transposed matrix on the same memory: dimensions and strides swapped, nothing copied.
/// Process-local. An array in C order becomes one in Fortran order, whose grid is the transposed
/// one: `Grid::of(transposed(a))`. Solving with the array itself is then solving with
/// `trans = 'T'`. Like `describe` it does not throw: an array that is not described, or has other
/// than two dimensions (`scalapack.matrix.dimensions`), gives an array with that defect.
Section transposed(const Section& array);
/// The same of an array, on its communicator.
DistArray transposed(const DistArray& array);

}  // namespace daptor::scalapack
