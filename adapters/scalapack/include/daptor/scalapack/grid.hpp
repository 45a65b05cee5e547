// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"

namespace daptor::scalapack {

namespace detail {
class Context;
}  // namespace detail

/// How the ranks of a communicator follow each other on a grid.
enum class GridOrder { row, column };
constexpr auto words(GridOrder) {
  return word_list(
      word("row", GridOrder::row, "along the rows of the grid, as the protocol has them"),
      word("column", GridOrder::column, "along its columns"));
}

/// Processes as ScaLAPACK has them: a grid of rows and columns over a communicator, with its BLACS
/// context.
///
/// A cheap value: copies share the context. One context is made for each communicator and shape,
/// and kept until the communicator has been freed and no Grid is left; a BLACS context takes four
/// communicators of MPI, of which there are only some thousands. After MPI_Finalize nothing is
/// called any more, and `Cblacs_exit`, which can end MPI, is never called.
///
/// Example, six processes:
/// \code
/// daptor::scalapack::Grid grid(comm);        // 3 x 2: process 3 is at row 1, column 1
/// daptor::scalapack::Grid line(comm, 6, 1);  // process 3 is at row 3, column 0
/// daptor::scalapack::Grid small(comm, 2, 2); // processes 4 and 5 are outside
/// \endcode
class Grid {
 public:
  /// Collective over `comm`: one all-reduce where that grid is known, else the grid is made.
  /// @param comm     processes of MPI; those after the first `rows * columns` are outside of the
  ///                 grid
  /// @param rows     of the grid; 0: as many as fit, and where `columns` is 0 too, a grid of all
  ///                 processes that is as square as possible
  /// @param columns  of the grid; 0: as many as fit
  /// @param order    which ranks are neighbours; the same on all ranks, as all arguments
  /// @throws InvalidArgument on all ranks: for a grid of more processes than there are
  ///   (`scalapack.grid.shape`), for arguments that differ between ranks (`collective.different`),
  ///   for ranks that are not processes of MPI (`comm`)
  /// @throws LibraryFailed where MPI fails; Finalized after MPI_Finalize
  explicit Grid(const Comm& comm, Index rows = 0, Index columns = 0,
                GridOrder order = GridOrder::row);

  /// Collective: the grid over the array's communicator whose processes are where the array's
  /// sections are. The rows of the grid are the processes of dimension 0, its columns those of
  /// dimension 1 (one where the array has one dimension). Sections in the order of the ranks along
  /// rows or along columns share the context of `Grid(comm, rows, columns, order)`; any other order
  /// costs one array of as many integers as there are processes.
  /// @throws NotRepresentable (`scalapack.matrix.dimensions`) for an array of other than one or two
  ///   dimensions; Malformed where the sections do not make one array; others as the constructor
  static Grid of(const DistArray& array);

  /// The BLACS context, for a program's own calls; -1 outside of the grid. Valid as long as a copy
  /// of this object or the communicator lives. Not to be given to `Cblacs_gridexit`.
  int context() const;
  /// Processes along the rows and the columns, the same on all ranks.
  int rows() const;
  int columns() const;
  /// Where this process is; -1 outside of the grid.
  int row() const;
  int column() const;
  bool inside() const { return row() >= 0; }

  /// All processes that made the grid, those outside included.
  const Comm& comm() const { return comm_; }
  /// The processes of the grid, in the order of their ranks in `comm()`: matrices of this grid are
  /// on it. Throws InvalidArgument (`scalapack.grid.outside`) on a process outside.
  const Comm& inside_comm() const;

 private:
  Grid(const Comm& comm, std::shared_ptr<const detail::Context> context)
      : comm_(comm), context_(std::move(context)) {}

  // Destroyed after the context, which is kept beside it.
  Comm comm_;
  std::shared_ptr<const detail::Context> context_;
};

}  // namespace daptor::scalapack
