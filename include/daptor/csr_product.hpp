// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "daptor/comm.hpp"
#include "daptor/csr.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// The product of a sparse matrix in three arrays with a vector, without another library.

namespace daptor {

/// The product y = A x of a sparse matrix with a vector, planned once for the pattern of A and the
/// layouts of x and y, and used any number of times. Move-only.
///
/// The matrix is read where it is: values that have changed since the plan was made count, columns
/// and offsets must stay as they are. It may have any shape, rows without entries, several entries
/// in one column (which are added), and columns in any order within a row. Its rows may lie on
/// several processes, as they do if values and columns are divided evenly: the parts of a row are
/// then brought together, also over processes on which no row begins or ends. x and y may have any
/// layout, independently of the matrix. Elements are of one type: floating, complex, or integers,
/// which wrap around.
///
/// The plan lists the columns that a process needs and does not own, each of them once, and a run
/// moves these elements alone. A y that is divided like the rows is written in place. Elements of x
/// that are owned by the process, one after another in memory, are read in place.
///
/// The sum of a row is made in the order of its entries, so it does not depend on how the rows are
/// divided among processes. If a row itself lies on several processes, the parts are added in an
/// order that depends on the division.
///
/// Example: the 5 x 5 matrix of CsrArrays on two processes, x and y in blocks of three and two.
/// Process 0 gathers x[3] and x[4], process 1 x[0], x[1] and x[2].
/// \code
/// daptor::CsrProduct product(A, x, y);  // collective
/// for (int step = 0; step < steps; ++step) {
///   product.run();
///   update(x, y);
/// }
/// \endcode
class CsrProduct {
 public:
  /// Collective. Proves the matrix, except for the division and order of its entries, and the
  /// vectors; numbers the columns, in 4 bytes per entry and up to 20 per row of this process (8 and
  /// 24 if it has more than 2^31 of them); and plans what moves, as Redistribution does, with 8
  /// bytes and an element for each that is gathered besides. No process has a list of all
  /// processes, except for the bounds of irregular blocks (GlobalDimensionMap).
  ///
  /// @param matrix  this process's part, which is kept alive; see `CsrArrays`
  /// @param x       one element for each column of the matrix, read; kept alive
  /// @param y       one element for each row of the matrix, writable, in memory of its own; kept
  ///                alive. Its communication padding is never written
  /// @throws Malformed on all ranks: what `require_consistent` throws about the matrix, except for
  ///   `csr.division`, and `csr.first` if the offsets do not begin with the
  ///   index base; if the sections of x or y do not form one array
  /// @throws InvalidArgument on all ranks: `csr.vector` if x or y does not have one dimension of
  ///   the matrix's size, `csr.type` if types differ or have no sums, `csr.alignment` if the
  ///   values are not aligned in memory, `csr.memory` if y overlaps x or the matrix,
  ///   `csr.strides` if elements of y are on the same memory, `csr.device`, `lease.memory`,
  ///   `lease.readonly`, and what Redistribution throws about x as a source and y as a target
  CsrProduct(const CsrArrays& matrix, const DistArray& x, const DistArray& y);
  CsrProduct(CsrProduct&& other) noexcept;
  CsrProduct& operator=(CsrProduct&& other) noexcept;
  /// Waits for elements of a product that was begun and not ended; y is then not written.
  ~CsrProduct();

  /// Writes A x to y: `begin`, then `end`.
  void run();
  /// Starts to gather elements of x. Until `end`, x and the matrix may be read but not written, and
  /// y may be neither read nor written. Holds leases on them until `end`. Collective over the
  /// processes that share elements.
  /// @throws InvalidArgument if a product was begun already (`csr.begun`); Stale and ProducerFailed
  ///   like the leases. All of them are thrown before any message, and on this process alone: the
  ///   others wait in `end` until this process has begun too
  void begin();
  /// Computes the rows for which x is here, waits for the rest, computes the other rows, and
  /// notifies all views of y (`modified()`). If several products are in flight, they must end in
  /// the same order on all ranks. Throws InvalidArgument if no product was begun
  /// (`csr.not-begun`), and LibraryFailed if MPI fails; the values of y are then not known.
  void end();

  /// Collective over all ranks of the matrix. Writes A x to y for other vectors of the same
  /// layouts, which take the place of the previous ones from now on. All that is wrong with them on
  /// any rank is thrown on all ranks, before y is written; the previous vectors then stay.
  /// @param x, y  see the constructor
  /// @throws InvalidArgument on all ranks: `csr.layout` if a layout or its alignment in memory
  ///   differs from that of the constructor, `csr.memory`, `csr.begun`, `lease.readonly`, ...;
  ///   Stale and ProducerFailed
  void run(const DistArray& x, const DistArray& y);
  /// The same.
  void operator()(const DistArray& x, const DistArray& y) { run(x, y); }

  /// Whether a product was begun and not ended.
  bool in_flight() const;
  const CsrArrays& matrix() const;
  const DistArray& x() const;
  const DistArray& y() const;
  /// Number of elements of x that this process gathers in a run: those of the columns of its
  /// entries that it does not read in place, each counted once.
  Index gathered_count() const;

 private:
  struct State;
  State& state() const;
  std::unique_ptr<State> state_;
};

/// Collective. Writes A x to y once: makes a CsrProduct, runs it, and destroys it. To multiply
/// repeatedly, make a CsrProduct.
/// \code
/// daptor::multiply(A, x, y);
/// \endcode
/// @param matrix, x, y  see CsrProduct
/// @throws Error like CsrProduct, on all ranks, before y is written
void multiply(const CsrArrays& matrix, const DistArray& x, const DistArray& y);

}  // namespace daptor
