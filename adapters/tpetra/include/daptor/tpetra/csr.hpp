// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Teuchos_RCP.hpp>
#include <Tpetra_CrsMatrix_fwd.hpp>

#include "daptor/csr.hpp"
#include "daptor/split_rows.hpp"
#include "daptor/tpetra/config.hpp"

namespace daptor::tpetra {

/// \name Sparse matrices described by three arrays, in Tpetra
///
/// The rows of a fill-complete CrsMatrix are those of the arrays, on the same ranks. Row, range and
/// domain Map are contiguous in rank order, counted from 0. Columns of a square matrix are divided
/// like its rows, columns of other matrices evenly. Collective over the matrix's communicator.
/// @tparam Scalar  one for which the installed Tpetra has matrices (`double`, `float` and their
///                 complex types, if it was built for them)
/// @param matrix   over MPI, with memory
/// @throws Malformed with rules `csr.…`, like `require_consistent(CsrArrays)`; this and all of the
///   following is thrown on all ranks
/// @throws NotRepresentable with rule `csr.type` (values are not of type Scalar) or
///   `csr.index-range` (a count does not fit in Tpetra's ordinals)
/// @throws InvalidArgument (`tpetra.not-initialized`); Finalized
/// \{

/// Makes a CrsMatrix on the values of the arrays, on any number of processes; no value is copied.
/// Tpetra gets indices of its own: 4 bytes per entry, 8 bytes per row, and a column Map. Values
/// must be writable and aligned (`csr.readonly`, `csr.alignment`), and columns increase within a
/// row (`csr.column-order`).
///
/// The order of the values determines that of the columns: the column Map has the columns of lower
/// ranks first, then all owned columns, then those of higher ranks. For code that needs the owned
/// columns first (MueLu, Ifpack2's factorizations), make a copy with copy_csr.
///
/// Tpetra refuses to make another CrsMatrix on the same values (by its constructors with
/// Teuchos::View or with a view of values); a deep copy works. The matrix, its graph and its column
/// Map keep the arrays' memory alive. After writes through Tpetra, call `values.modified()` on all
/// ranks. After other writes, `modified()` also invalidates the norm that Tpetra has cached.
template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> import_csr(const CsrArrays& matrix);

/// Makes a CrsMatrix with a copy of the values, in which the owned columns come first. Columns are
/// sorted within a row, and entries in one column are added.
template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> copy_csr(const CsrArrays& matrix);
/// \}

/// Collective. The same of rows whose entries are in two blocks, in one pass over them, without a
/// copy between. Columns are divided as the rows say.
/// \code
/// auto A = daptor::tpetra::copy_csr<double>(daptor::hypre::describe(matrix));  // of hypre
/// \endcode
/// @param rows  this process's rows; read and not kept
/// @returns a matrix on new memory
/// @throws Malformed like `petsc::copy_csr`; what `copy_csr` of arrays throws else; on all ranks
template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> copy_csr(const SplitRows& rows);

/// Describes the memory of a fill-complete CrsMatrix on one process as three arrays; nothing is
/// copied. Rows and columns have their local numbers. Values can be written; columns and offsets
/// cannot. Process-local. The arrays are on the communicator of the matrix, and hold a reference to
/// the matrix. A lease of the values throws Stale if the matrix has other memory by then.
/// @param matrix  a fill-complete matrix on one process
/// @returns arrays on the memory of `matrix`, with `index_base` 0
/// @throws InvalidArgument (`csr.unassembled`); NotRepresentable with rule `csr.split` (the matrix
///   is on several processes, where columns are local numbers), `csr.maps` (row and range Map, or
///   column and domain Map, differ) or `csr.storage` (rows have gaps or are unsorted)
template <class Scalar>
CsrArrays export_csr(const Teuchos::RCP<Tpetra::CrsMatrix<Scalar>>& matrix);

/// Collective over the communicator of the row Map. The same on new memory, with 64-bit columns and
/// offsets that count from 0; the last offset is on the last rank.
/// @param matrix  a fill-complete matrix, which is read and not kept
/// @returns writable arrays on the communicator of the row Map
/// @throws InvalidArgument (`csr.unassembled`) on all ranks; NotRepresentable with rule `csr.maps`
///   (row and range Map differ, or a Map is not contiguous in rank order)
template <class Scalar>
CsrArrays copy_csr(const Tpetra::CrsMatrix<Scalar>& matrix);

}  // namespace daptor::tpetra
